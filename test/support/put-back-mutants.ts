import { inFile, type SourceMutant } from './source-mutant.ts';

/** The guards of undoing and recovering; the source without each; and the test that must fail then. */
export const putBackMutants: readonly SourceMutant[] = [
  ...inFile('validation/actions/perform-action', 'validation/procedure/full-disk', [
    "await journal.intend({ type: 'action-intended'",
    "void journal.intend({ type: 'action-intended'",
  ]),
  ...inFile(
    'validation/actions/perform-action',
    'validation/actions/perform-action',
    ['begun.intent = performed?.intent ?? intent;', 'begun.intent = intent;'],
    ['!isAnswered && ', ''],
    ['error !== signal.reason && ', ''],
    ['!(error instanceof ApiError) || ', ''],
  ),
  ...inFile('validation/actions/perform-action', 'validation/procedure/put-back', ['  began(begun);\n', '']),
  ...inFile(
    'validation/actions/undo-action',
    'validation/actions/undo-action',
    ['await journal.intend', 'void journal.intend'],
    ['of retryAfterSeconds)', 'of retryAfterSeconds.slice(0, 2))'],
    ['  if (hurry.aborted) hasten();\n', ''],
  ),
  ...inFile(
    'validation/actions/undo-action',
    'validation/actions/perform-action',
    ["begun.unanswered === true && first.state === 'not-needed'", 'false'],
    ['  return hurry?.aborted\n', '  return begun === undefined\n'],
  ),
  ...inFile(
    'validation/actions/undo-in-order',
    'validation/actions/undo-in-order',
    ['notUndone.has(subject) && ', 'subject === undefined && '],
    ['notUndone.has(subject) && ', 'notUndone.size > 0 && '],
    [' && !deletes.has(action)', ''],
  ),
  ...inFile('validation/procedure/procedure', 'validation/procedure/undo-fails', [
    "if (end.state === 'failed')",
    'if (end === undefined)',
  ]),
  ...inFile('validation/procedure/procedure', 'validation/procedure/recover', [
    '    cleanup: order.cleanup,\n    settings,',
    '    settings,',
  ]),
  ...inFile('validation/procedure/run-scenarios', 'validation/procedure/undo-fails', [
    '    run.signal.throwIfAborted();\n',
    '',
  ]),
  ...inFile(
    'validation/record/open-intents',
    'validation/procedure/crash',
    ["'action-undone' && fact.state !== 'failed'", "'action-performed'"],
    ['.reverse()', ''],
  ),
  ...inFile(
    'validation/record/open-intents',
    'validation/actions/perform-action',
    ['told.get(fact.id) ?? fact.intent', 'fact.intent'],
    ['unanswered: unanswered.has(fact.id)', 'unanswered: false'],
  ),
  ...inFile('validation/procedure/interruption', 'validation/procedure/interruption', [
    'signals > 1',
    'acting.signal.aborted',
  ]),
  ...inFile('validation/record/open-intents', 'validation/procedure/recover-run', [
    ' && !(cleanup && fact.openForCleanup)',
    '',
  ]),
  ...inFile('validation/procedure/recover', 'validation/procedure/recover-run', [' && isRemovable(intent)', '']),
  ...inFile('validation/record/open-intents', 'validation/procedure/recover', ["fact.state !== 'failed'", 'true']),
  ...inFile(
    'validation/procedure/recover-run',
    'validation/procedure/recover-run',
    ['[run, asking.holder]', '[run]'],
    ['if (lease instanceof OperationError) return', 'if (lease === undefined) return'],
    ['read?.facts ?? facts', 'facts'],
    ["return details?.kind === 'namespaces'", 'return false'],
    ['  return status === 403 && ', '  return status === 404 && '],
    ['catch((error) => unlessBroken(mute(error))(error))', 'finally(() => {})'],
    ['.catch(unlessBroken(undefined))', ''],
  ),
  ...inFile(
    'validation/procedure/recover-run',
    'validation/procedure/crash',
    ['    await lease.release();\n', ''],
    ['[run, asking.holder]', '[asking.holder]'],
  ),
  ...inFile('validation/actions/scale', 'validation/actions/scale', [
    'if (before !== ours)',
    'if (before === undefined)',
  ]),
  ...inFile('validation/actions/scale', 'validation/actions/scale', [
    "        { op: 'test', path: '/spec/replicas', value: from },\n",
    '',
  ]),
  ...inFile('validation/actions/node-pool-field', 'validation/actions/node-pool-field', [
    "if (!isSame(before, ours)) return { state: 'kept'",
    "if (before === undefined) return { state: 'kept'",
  ]),
  ...inFile('validation/actions/mark-drift', 'validation/actions/mark-drift', ['if (now !== ours)', "if (now === '')"]),
  ...inFile('validation/actions/apply-object', 'validation/actions/apply-object', [
    'if (!isOurs(found))',
    'if (existed)',
  ]),
  ...inFile(
    'validation/actions/apply-object',
    'validation/actions/apply-object',
    ['if (uid === undefined) return', 'if (existed) return'],
    ['if (found.metadata.uid !== uid) return', 'if (existed) return'],
    ["existed ? 'get' : 'delete'", "'delete'"],
  ),
  ...inFile('validation/actions/scale', 'validation/actions/perform-action', [
    'intent.stored ?? intent.replicas',
    'intent.replicas',
  ]),
  ...inFile('validation/actions/pause-deployment', 'validation/actions/perform-action', [
    '...intent, ...scaled.intent',
    '...intent',
  ]),
  ...inFile('validation/actions/node-pool-field', 'validation/actions/perform-action', [
    'undo(site, { nodePool, original, value, stored: ours = value })',
    'undo(site, { nodePool, original, value, value: ours })',
  ]),
  ...inFile(
    'validation/actions/delete-dns-record',
    'validation/actions/delete-dns-record',
    ['    refuseRouted(target.name, original);\n', ''],
    ['  if (routed.length === 0) return;\n', ''],
    ['name === set.name && type === set.type', 'name === set.name'],
    ['original.filter((set) => !now.some((other) => isSame(set, other)))', '[]'],
    ['alias === undefined\n        ?', 'ttlSeconds !== undefined\n        ?'],
    ['.replaceAll("\'", String.raw`\\u0027`)', ''],
  ),
  ...inFile('validation/actions/cordon', 'validation/actions/cordon-node', [
    'before === undefined || before.metadata.uid !== uid',
    'before === undefined',
  ]),
  ...inFile('validation/actions/cordon', 'validation/actions/cordon-node', [
    'if (wasCordoned) return',
    'if (uid === undefined) return',
  ]),
  ...inFile('validation/actions/cordon', 'validation/actions/cordon-node', [
    'if (other !== undefined) return',
    'if (uid === undefined) return',
  ]),
  ...inFile('validation/judge/judge-scenario', 'validation/judge/judge-run', [
    '.map(record.brokenOff ? asFarAsItCame : (one) => one)',
    '',
  ]),
  ...inFile('validation/observe/timeline', 'validation/procedure/api-faults', ['      failed(error);\n', '']),
  ...inFile('validation/procedure/pre-check', 'validation/procedure/api-faults', [
    "  signal?.addEventListener('abort', abort);\n",
    '',
  ]),
];
