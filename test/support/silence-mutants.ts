import { inFile, type SourceMutant } from './source-mutant.ts';

/** What is done about an API server that does not answer; the source without each; and the test that must fail then. */
export const silenceMutants: readonly SourceMutant[] = [
  ...inFile(
    'cluster/may-pass',
    'cluster/may-pass',
    ['  if (!(error instanceof OperationError)) return false;\n', ''],
    ['[400, 403, 404, 405, 422]', '[400, 404, 405, 422]'],
    ['[400, 403, 404, 405, 422]', '[400, 401, 403, 404, 405, 422]'],
  ),
  ...inFile(
    'cluster/watch',
    'cluster/watch',
    ['if (watch.unfollowed >= mostUnfollowed) lose(watch);\n', ''],
    ['  watch.unfollowed = 0;\n', ''],
    ['= listenForSilence(watch, done.signal)', '= Promise.resolve()'],
    ['!watch.synced || watch.isLost', '!watch.synced'],
    ['!watch.synced || watch.isLost', 'watch.isLost'],
    ['    tellSilence(watch);\n    watch.heardAt', '    watch.heardAt'],
    ['    tellSilence(watch);\n    watch.heardAt = clock.wallAt();\n', '    tellSilence(watch);\n'],
    ['watch.lost(watch.toldAt)', 'watch.lost(watch.heardAt)'],
    ['watch.toldAt = askedAt', 'watch.toldAt = clock.wallAt()'],
    ['if (!synced || isLost) yield', 'if (!synced) yield'],
    ['  heard(watch);\n  watch.failures = 0;', '  watch.failures = 0;'],
    ['but all of it.\n  yield* whole(watch);\n', 'but all of it.\n'],
    ['watch.synced && mayPass(error)', 'watch.synced'],
  ),
  ...inFile(
    'cluster/watch-once',
    'cluster/watch',
    ['const watchSeconds = 30;', 'const watchSeconds = 300;'],
    ['watchSeconds + slackSeconds;\n', '400;\n'],
    ['watchSeconds + slackSeconds;\n', '5;\n'],
  ),
  ...inFile('cluster/list', 'cluster/watch', ['    heard();\n', '']),
  ...inFile(
    'validation/until-answered',
    'validation/until',
    ['      signal?.throwIfAborted();\n', ''],
    ['      if (!mayPass(error)) throw error;\n', ''],
    ['if (!mayPass(error)) throw error', 'throw error'],
  ),
  ...inFile('validation/until', 'validation/until', ['endsAt - clock.monotonicSeconds()', 'limitSeconds']),
  ...inFile('validation/other-holders', 'validation/lease', [
    'untilAnswered(waiting, answerWithinSeconds, read)',
    'read()',
  ]),
  ...inFile('validation/actions/evict-all', 'validation/actions/drain-node', [
    'untilAnswered({ site, signal }, secondsLeft(), () => isThere(site, node, pod))',
    'isThere(site, node, pod)',
  ]),
  ...inFile('validation/run-scenario', 'procedure/silence', [
    'untilAnswered(run, answerWithinSeconds, () => readSnapshot(run.site.cluster, run.settings))',
    'readSnapshot(run.site.cluster, run.settings)',
  ]),
  ...inFile('validation/run-scenario', 'procedure/silence', [
    'untilAnswered(run, answerWithinSeconds, read)',
    'read()',
  ]),
  ...inFile('validation/perform-action', 'procedure/silence', [
    'untilAnswered(run, answerWithinSeconds, async () => action.verify(site, begun.intent))',
    'action.verify(site, begun.intent)',
  ]),
  ...inFile('validation/until', 'procedure/silence', [
    'untilAnswered(waiting, endsAt - clock.monotonicSeconds(), isSo)',
    'isSo()',
  ]),
];
