import type { JudgeMutant } from './judge-mutants.ts';

type Change = readonly [guard: string, without: string];
const inFile = (file: string, test: string, ...changes: readonly Change[]): readonly JudgeMutant[] =>
  changes.map(([guard, without]) => ({
    file: `src/validation/${file}.ts`,
    guard,
    without,
    test: `test/${test}.test.ts`,
  }));

/** The guards of undoing and recovering; the source without each; and the test that must fail then. */
export const putBackMutants: readonly JudgeMutant[] = [
  ...inFile('perform-action', 'procedure/full-disk', [
    "await journal.intend({ type: 'action-intended'",
    "void journal.intend({ type: 'action-intended'",
  ]),
  ...inFile('perform-action', 'procedure/put-back', ['  began(begun);\n', '']),
  ...inFile(
    'undo-action',
    'validation/undo-action',
    ['await journal.intend', 'void journal.intend'],
    ['of retryAfterSeconds)', 'of retryAfterSeconds.slice(0, 2))'],
    ['  if (hurry.aborted) hasten();\n', ''],
  ),
  ...inFile(
    'open-intents',
    'procedure/crash',
    ["'action-undone' && fact.state !== 'failed'", "'action-performed'"],
    ['.reverse()', ''],
  ),
  ...inFile('open-intents', 'procedure/recover', ["fact.state !== 'failed'", 'true']),
  ...inFile(
    'recover-run',
    'validation/recover-run',
    ['[run, asking.holder]', '[run]'],
    ['if (lease instanceof OperationError) return', 'if (lease === undefined) return'],
  ),
  ...inFile(
    'recover-run',
    'procedure/crash',
    ['    await lease.release();\n', ''],
    ['[run, asking.holder]', '[asking.holder]'],
  ),
  ...inFile('actions/scale', 'validation/actions/scale', [
    'if (before !== intent.replicas)',
    'if (before === undefined)',
  ]),
  ...inFile('actions/scale', 'validation/actions/scale', [
    "        { op: 'test', path: '/spec/replicas', value: from },\n",
    '',
  ]),
  ...inFile('actions/node-pool-field', 'validation/actions/node-pool-field', [
    "if (!isSame(before, value)) return { state: 'kept'",
    "if (before === undefined) return { state: 'kept'",
  ]),
  ...inFile('actions/mark-drift', 'validation/actions/mark-drift', ['if (now !== ours)', "if (now === '')"]),
  ...inFile('actions/apply-object', 'validation/actions/apply-object', ['if (!isOurs(found))', 'if (existed)']),
  ...inFile('cordon', 'validation/actions/cordon-node', [
    'before === undefined || before.metadata.uid !== uid',
    'before === undefined',
  ]),
  ...inFile('cordon', 'validation/actions/cordon-node', ['if (wasCordoned) return', 'if (uid === undefined) return']),
  ...inFile('judge-scenario', 'validation/judge-run', ['.map(record.brokenOff ? asFarAsItCame : (one) => one)', '']),
  ...inFile('timeline', 'procedure/api-faults', ['      failed(error);\n', '']),
  ...inFile('pre-check', 'procedure/api-faults', ["  signal?.addEventListener('abort', abort);\n", '']),
];
