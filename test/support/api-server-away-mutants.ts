import { mutantsOf, type SourceMutant } from './source-mutant.ts';

/** The guards against an API server that does not answer; the source without each; and the test that must fail then. */
export const apiServerAwayMutants: readonly SourceMutant[] = [
  ...mutantsOf(
    'mayPass',
    'may-pass',
    ['  if (!(error instanceof OperationError)) return false;\n', ''],
    ['[400, 403, 404, 405, 422]', '[400, 404, 405, 422]'],
    ['[400, 403, 404, 405, 422]', '[400, 401, 403, 404, 405, 422]'],
  ),
  ...mutantsOf(
    'watchAll',
    'cluster/watch',
    ['if (watch.listsAlone >= mostListsAlone) openGap(watch);\n', ''],
    ['  watch.listsAlone = 0;\n', ''],
    ['= watchForSilence(watch, done.signal)', '= Promise.resolve()'],
    ['!watch.synced || watch.hasGap', '!watch.synced'],
    ['!watch.synced || watch.hasGap', 'watch.hasGap'],
    ['    openGapIfSilent(watch);\n    watch.lastAnswerAt', '    watch.lastAnswerAt'],
    ['    openGapIfSilent(watch);\n    watch.lastAnswerAt = clock.wallAt();\n', '    openGapIfSilent(watch);\n'],
    ['watch.onGap(watch.completeUntilAt)', 'watch.onGap(watch.lastAnswerAt)'],
    ['watch.completeUntilAt = askedAt', 'watch.completeUntilAt = clock.wallAt()'],
    ['if (!synced || hasGap) yield', 'if (!synced) yield'],
    ['  answered(watch);\n  watch.failures = 0;', '  watch.failures = 0;'],
    ['but completely.\n  yield* closeGap(watch);\n', 'but completely.\n'],
    ['watch.synced && mayPass(error)', 'watch.synced'],
  ),
  ...mutantsOf(
    'quietSeconds',
    'watch',
    ['const watchSeconds = 30;', 'const watchSeconds = 300;'],
    ['watchSeconds + slackSeconds;\n', '400;\n'],
    ['watchSeconds + slackSeconds;\n', '5;\n'],
  ),
  ...mutantsOf('Listed', 'watch', ['    onPage();\n', '']),
  ...mutantsOf(
    'retryRead',
    'poll',
    ['      signal?.throwIfAborted();\n', ''],
    ['      if (!mayPass(error)) throw error;\n', ''],
    ['if (!mayPass(error)) throw error', 'throw error'],
  ),
  ...mutantsOf('poll', 'poll', ['endsAt - clock.monotonicSeconds()', 'limitSeconds']),
  ...mutantsOf('otherHolders', 'lease/lease', ['retryRead(waiting, answerWithinSeconds, read)', 'read()']),
  ...mutantsOf('evictAll', 'drain-node', [
    'retryRead({ site, signal }, secondsLeft(), () => isThere(site, node, pod))',
    'isThere(site, node, pod)',
  ]),
  ...mutantsOf('runScenario', 'api-server-away', [
    'retryRead(part.run, answerWithinSeconds, () => readSnapshot(site.cluster, settings))',
    'readSnapshot(site.cluster, settings)',
  ]),
  ...mutantsOf('prepareBaseline', 'api-server-away', [
    'retryRead(run, answerWithinSeconds, () => run.site.cluster.get(kind, { namespace, name }))',
    'run.site.cluster.get(kind, { namespace, name })',
  ]),
  ...mutantsOf('performAction', 'api-server-away', [
    'retryRead(acting, answerWithinSeconds, async () => action.verify(site, begun.intent))',
    'action.verify(site, begun.intent)',
  ]),
  ...mutantsOf('poll', 'api-server-away', ['retryRead(waiting, endsAt - clock.monotonicSeconds(), holds)', 'holds()']),
];
