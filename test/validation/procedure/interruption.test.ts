import assert from 'node:assert/strict';
import { test } from 'node:test';
import { OperationError } from '../../../src/host/errors.ts';
import type { Signal } from '../../../src/host/host.ts';
import { listenForInterruption } from '../../../src/validation/procedure/interruption.ts';
import type { Site } from '../../../src/validation/site.ts';
import { quietHost } from '../../support/quiet-host.ts';

/** A run that listens for signals, its journal, and a function that sends one. */
function listening() {
  const host = quietHost();
  const facts: object[] = [];
  const interruption = listenForInterruption({ host } as unknown as Site, { record: (fact) => facts.push(fact) });
  return { interruption, facts, send: (name: Signal) => host.send(name) };
}

test('the first signal stops acting and is recorded, the second one stops waiting', () => {
  const { interruption, facts, send } = listening();
  send('SIGTERM');
  assert.deepEqual([interruption.signal.aborted, interruption.hurry.aborted], [true, false]);
  send('SIGINT');
  assert.equal(interruption.hurry.aborted, true);
  assert.deepEqual(facts, [{ type: 'run-interrupted', signal: 'SIGTERM' }]);
});

for (const [what, end] of [
  ['could not go on', ({ fail }) => fail(new OperationError({ tried: 'Holding', on: 'the lease', reason: 'lost' }))],
  ['was not to go on', ({ abort }) => abort('40 s of downtime')],
] as const satisfies readonly (readonly [string, (interruption: ReturnType<typeof listenForInterruption>) => void])[])
  test(`a run that ${what} is undone without hurry at the first signal, and with hurry at the second`, () => {
    const { interruption, facts, send } = listening();
    end(interruption);
    const { reason } = interruption.signal;
    send('SIGINT');
    assert.deepEqual([interruption.signal.reason, interruption.hurry.aborted], [reason, false]);
    send('SIGINT');
    assert.equal(interruption.hurry.aborted, true);
    assert.ok(!JSON.stringify(facts).includes('run-interrupted'), 'it had ended by itself');
  });

test('the reason why a run ended is recorded once, and no signal is received after `stop`', () => {
  const { interruption, facts, send } = listening();
  interruption.abort('40 s of downtime');
  interruption.abort('41 s of downtime');
  assert.deepEqual([interruption.isRecorded(), facts], [true, [{ type: 'run-aborted', because: '40 s of downtime' }]]);
  interruption.stop();
  send('SIGINT');
  send('SIGINT');
  assert.equal(interruption.hurry.aborted, false);
});
