import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Finding } from '../../../src/validation/finding.ts';
import { exitCodeOf } from '../../../src/validation/judge/exit-code.ts';
import type { RunResult } from '../../../src/validation/judge/run-result.ts';
import type { ValidationFact } from '../../../src/validation/record/events.ts';
import { fact } from '../../support/run-facts.ts';

const check = (id: string, mandatory: boolean, severity: Finding['severity']) =>
  fact(1, {
    type: 'check-finished',
    mandatory,
    finding: { id, severity, subject: '', expected: '', observed: '', advice: '' },
  });
const code = (facts: readonly ValidationFact[], over: Partial<RunResult> = {}) =>
  exitCodeOf(facts, { undo: [], verdict: 'inconclusive', ...over } as RunResult);

test('the exit code shows what could not be undone, else a signal, another run, the pre-check, the verdict, in this order', () => {
  const signal = fact(2, { type: 'run-interrupted', signal: 'SIGTERM' });
  const other = check('another-run', true, 'error');
  const stopping = check('clocks', true, 'error');
  const failed = { undo: [{ action: 'scale', target: 'x', state: 'failed', because: '' }] } as const;
  assert.equal(code([signal, other, stopping], failed), 5);
  assert.equal(code([signal, other, stopping]), 143);
  assert.equal(code([stopping, other]), 6);
  assert.equal(code([stopping]), 3);
  assert.equal(code([check('clocks', false, 'error'), check('adoption', true, 'warning')]), 4);
  const codes = (['pass', 'fail', 'inconclusive', 'error'] as const).map((one) => code([], { verdict: one }));
  assert.deepEqual(codes, [0, 1, 4, 4]);
  const signals = ['SIGHUP', 'SIGINT'].map((name) => code([fact(2, { type: 'run-interrupted', signal: name })]));
  assert.deepEqual(signals, [129, 130]);
});
