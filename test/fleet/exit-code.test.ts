import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { endWithout, type ServerDocument, type ServerEnd } from '../../src/fleet/document.ts';
import { fleetExitCode } from '../../src/fleet/exit-code.ts';

function server(
  state: ServerEnd['state'],
  exitCode: number | null,
  more: Partial<ServerDocument> = {},
): ServerDocument {
  const around = { host: 'web1', batch: 1, drain: null, restore: null, undone: null };
  return { ...endWithout('lost', 0, null), ...around, state, exitCode, ...more };
}
const verified = server('verified', 0);
const rolledBack = server('rolled-back', 3);
const unhealthy = server('rolled-back-unhealthy', 4);
const failed = server('rollback-failed', 5);
const locked = server('aborted', 6);
const aborted = server('aborted', 1);
const notBegun = server('not-begun', null);
const undone = (exitCode: number) => server('verified', 0, { undone: server('rolled-back', exitCode) });

test('0 all verified; 3 some rolled back and all healthy; 4 and 5 as ever, the worst wins; 6 where one was locked', () => {
  assert.equal(fleetExitCode([verified, server('unchanged', 0)]), 0);
  assert.equal(fleetExitCode([verified, rolledBack, notBegun]), 3);
  assert.equal(fleetExitCode([rolledBack, unhealthy]), 4);
  assert.equal(fleetExitCode([unhealthy, failed, rolledBack]), 5);
  assert.equal(fleetExitCode([verified, locked]), 6);
  assert.equal(fleetExitCode([locked, rolledBack]), 3);
});

test('3 promises that all are healthy: a server that was aborted or lost makes it 1', () => {
  assert.equal(fleetExitCode([rolledBack, aborted]), 1);
  assert.equal(fleetExitCode([rolledBack, server('lost', 1)]), 1);
});

test('a server that went back for another one counts as rolled back; one that could not go back is 5', () => {
  assert.equal(fleetExitCode([undone(0), rolledBack]), 3);
  assert.equal(fleetExitCode([undone(4), rolledBack]), 4);
  assert.equal(fleetExitCode([undone(1), rolledBack]), 5);
});

test('a server that was drained and not restored is 5', () => {
  assert.equal(fleetExitCode([server('verified', 0, { restore: { exitCode: 1, seconds: 0 } })]), 5);
});

test('a run that a signal stopped on its server counts as what it ended as', () => {
  assert.equal(fleetExitCode([server('verified', 143)]), 0);
  assert.equal(fleetExitCode([server('rolled-back', 143)]), 3);
  assert.equal(fleetExitCode([server('aborted', 130)]), 1);
});

test('128+n stopped by signal n, and all is put back or finished; not so: 5', () => {
  assert.equal(fleetExitCode([verified, notBegun], 'SIGTERM'), 143);
  assert.equal(fleetExitCode([rolledBack, notBegun], 'SIGINT'), 130);
  for (const bad of [unhealthy, failed, server('lost', 1)]) assert.equal(fleetExitCode([verified, bad], 'SIGINT'), 5);
});

test('the order of the servers does not matter, and 0 is only where each is done', () => {
  const one = fc.constantFrom(verified, rolledBack, unhealthy, failed, locked, aborted, notBegun, undone(0));
  fc.assert(
    fc.property(fc.array(one, { minLength: 1 }), (servers) => {
      const code = fleetExitCode(servers);
      assert.equal(fleetExitCode(servers.toReversed()), code);
      if (code === 0) assert.ok(servers.every((each) => each === verified || each === notBegun));
    }),
  );
});
