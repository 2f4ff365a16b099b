import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import type { ServerDocument } from '../../src/fleet/document.ts';
import { type ModelServer, modelFleet, newCommit, oldCommit, type Trouble } from './support/model-servers.ts';

const good: Trouble = {};

test('the first batch that fails is the last one, and the servers after it are not begun', async (t) => {
  const { rolledOut, models } = modelFleet(t, { a: good, b: { healthy: false }, c: good });
  const { hosts, exitCode } = await rolledOut();
  assert.deepEqual(
    hosts.map(({ host, state, batch }) => [host, state, batch]),
    [
      ['a', 'verified', 1],
      ['b', 'rolled-back', 2],
      ['c', 'not-begun', null],
    ],
  );
  assert.equal(exitCode, 3);
  assert.equal(models.get('a')?.head, newCommit, 'what is done stays');
  assert.equal(models.get('c')?.drained, 0);
});

test('--all-or-nothing takes those back that are done, each to its own previous commit', async (t) => {
  const troubles = { a: good, b: good, c: { healthy: false } } as const;
  const { rolledOut, models } = modelFleet(t, troubles, { allOrNothing: true, batch: '2,1' });
  const { hosts, exitCode } = await rolledOut();
  assert.deepEqual(
    hosts.map(({ undone }) => undone?.state ?? null),
    ['rolled-back', 'rolled-back', null],
  );
  for (const { head, drained, restored } of models.values()) {
    assert.equal(head, oldCommit);
    assert.equal(drained, restored);
  }
  assert.equal(exitCode, 3);
});

test('somebody pushes between two batches: every server goes to the commit that was there at the start', async (t) => {
  const trouble: Trouble = { pushedAfter: 5 };
  const { rolledOut, models } = modelFleet(t, { a: trouble, b: trouble, c: trouble });
  assert.equal((await rolledOut()).exitCode, 0);
  assert.deepEqual(
    [...models.values()].map(({ head }) => head),
    [newCommit, newCommit, newCommit],
  );
});

test('somebody pushes while the servers are looked at: one commit, also where each has a settings file of its own', async (t) => {
  const { rolledOut, models } = modelFleet(t, { a: { config: '/a.yaml' }, b: { config: '/b.yaml', pushedAfter: 0 } });
  assert.equal((await rolledOut()).exitCode, 0);
  assert.deepEqual(
    [...models.values()].map(({ head }) => head),
    [newCommit, newCommit],
  );
});

test('a server whose origin does not have that commit stops the roll-out', async (t) => {
  const { rolledOut, models } = modelFleet(t, { a: good, b: { lacks: newCommit }, c: good });
  const { hosts, exitCode } = await rolledOut();
  assert.deepEqual(
    [exitCode, ...hosts.map(({ state }) => state)],
    [1, 'verified', 'aborted', 'not-begun'],
    String(hosts[1]?.because),
  );
  assert.equal(models.get('c')?.head, oldCommit);
});

test('a dry run names the commit that every server would get, and begins none', async (t) => {
  const { rolledOut, models } = modelFleet(t, { a: good, b: { pushedAfter: 0 } });
  const { hosts, exitCode } = await rolledOut(true);
  assert.deepEqual(
    hosts.map(({ state, newCommit: commit }) => [state, commit]),
    [
      ['not-begun', newCommit],
      ['not-begun', newCommit],
    ],
  );
  assert.equal(exitCode, 0);
  assert.deepEqual(models.get('a')?.runs, []);
});

for (const [what, trouble, exitCode, because] of [
  ['cannot be reached', { unreachable: true }, 1, /cannot be reached: Connection to server closed/],
  ['has another version', { version: '2.0.0' }, 2, /2\.0\.0 there and 1\.2\.3 here/],
  ['is frozen', { frozen: true }, 6, /frozen: a holiday/],
] as const)
  test(`a server that ${what} is found before any other is changed`, async (t) => {
    const { rolledOut, models } = modelFleet(t, { a: good, b: trouble });
    const document = await rolledOut();
    assert.equal(document.exitCode, exitCode);
    assert.match(document.hosts[1]?.because ?? '', because);
    assert.deepEqual([models.get('a')?.runs.length, models.get('a')?.drained], [0, 0]);
  });

test('a drain command that fails leaves the server alone, and it is restored', async (t) => {
  const { rolledOut, models } = modelFleet(t, { a: { drainFails: true }, b: good });
  const { hosts, exitCode } = await rolledOut();
  assert.deepEqual([hosts[0]?.state, exitCode], ['aborted', 1]);
  assert.match(hosts[0]?.because ?? '', /drain a: no such target/);
  assert.deepEqual([models.get('a')?.runs.length, models.get('a')?.restored], [0, 1]);
});

test('a restore command that fails is 5, and stops the rest', async (t) => {
  const { rolledOut } = modelFleet(t, { a: { restoreFails: true }, b: good });
  const { hosts, exitCode } = await rolledOut();
  assert.deepEqual([hosts[0]?.state, hosts[1]?.state, exitCode], ['verified', 'not-begun', 5]);
});

test('a lost connection is asked about until the server says how its run ended', async (t) => {
  const { rolledOut, facts } = modelFleet(t, { a: { cutAfter: 3, awayFor: 40 } });
  const { hosts, exitCode } = await rolledOut();
  assert.deepEqual([hosts[0]?.state, hosts[0]?.newCommit, exitCode], ['verified', newCommit, 0]);
  assert.ok(facts.some(({ phase }) => phase === 'asking'));
});

test('a server that does not come back is lost, and nobody says that it is fine', async (t) => {
  const { rolledOut } = modelFleet(t, { a: { cutAfter: 3, awayFor: 7200 }, b: good });
  const { hosts, exitCode } = await rolledOut();
  assert.deepEqual([hosts[0]?.state, hosts[1]?.state, exitCode], ['lost', 'not-begun', 1]);
});

test('a run that was killed on its server is repaired at once', async (t) => {
  const { rolledOut, models } = modelFleet(t, { a: { killedAfter: 6 } });
  const { hosts, exitCode } = await rolledOut();
  assert.deepEqual([hosts[0]?.state, exitCode, models.get('a')?.half], ['aborted', 1, false]);
  assert.match(hosts[0]?.because ?? '', new RegExp(`killed.*repaired: the site is at ${oldCommit}`));
});

test('a command that arrives when nobody waits for it any more does nothing', async (t) => {
  const { rolledOut, models } = modelFleet(t, { a: { arrivesAfter: 100, cutAfter: 1 } });
  const { hosts } = await rolledOut();
  assert.deepEqual([hosts[0]?.state, hosts[0]?.exitCode], ['not-begun', 1]);
  assert.deepEqual([models.get('a')?.runs, models.get('a')?.head], [[], oldCommit]);
});

test('a signal lets the servers under way end, begins no other, and is 128 + n', async (t) => {
  const troubles = { a: good, b: good };
  const { rolledOut, models } = modelFleet(t, troubles, {}, (clock) =>
    clock.monotonicSeconds() > 5 ? 'SIGTERM' : undefined,
  );
  const { hosts, exitCode } = await rolledOut();
  assert.deepEqual([hosts[0]?.state, hosts[1]?.state, exitCode], ['verified', 'not-begun', 143]);
  assert.equal(models.get('a')?.restored, 1);
});

test('--dry-run looks at every server and changes none', async (t) => {
  const { rolledOut, models } = modelFleet(t, { a: good, b: good });
  const { hosts, exitCode } = await rolledOut(true);
  assert.deepEqual([hosts.map(({ state }) => state), exitCode], [['not-begun', 'not-begun'], 0]);
  assert.ok([...models.values()].every(({ runs, drained }) => runs.length === 0 && drained === 0));
});

const trouble = fc.record(
  {
    healthy: fc.constant(false as const),
    cutAfter: fc.double({ min: 0, max: 14, noNaN: true }),
    awayFor: fc.integer({ min: 0, max: 300 }),
    killedAfter: fc.integer({ min: 1, max: 10 }),
    arrivesAfter: fc.integer({ min: 0, max: 120 }),
  },
  { requiredKeys: [] },
);

test('wherever connections are lost and programs killed: no server is left half, and the document says where each is', async (t) => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(trouble, { minLength: 1, maxLength: 6 }),
      fc.constantFrom('1', '1,50%,100%', '100%'),
      fc.boolean(),
      async (list, batch, allOrNothing) => {
        const troubles = Object.fromEntries(list.map((one, index) => [`s${index}`, one]));
        const { rolledOut, models } = modelFleet(t, troubles, { batch, allOrNothing });
        const { hosts, exitCode } = await rolledOut();
        for (const each of hosts) endsAsItSays(each, models.get(each.host));
        const heads = [...models.values()].map(({ head }) => head);
        if (exitCode === 0) assert.ok(heads.every((head) => head === newCommit));
        if (exitCode === 3 && allOrNothing) assert.ok(heads.every((head) => head === oldCommit));
      },
    ),
    { numRuns: 200 },
  );
});

function endsAsItSays({ host, state, undone }: ServerDocument, model: ModelServer | undefined): void {
  assert.ok(model && !model.half && model.running === undefined, `${host} is left half`);
  assert.equal(model.drained, model.restored);
  const isNew = state === 'verified' && (undone === null || undone.exitCode !== 0);
  assert.equal(model.head, isNew ? newCommit : oldCommit, `${host}: ${state}`);
}
