import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import type { DeployDocument } from '../../../src/deployment/record/document.ts';
import { lastVerified, type RunRecord } from '../../../src/deployment/record/history.ts';
import type { EndState } from '../../../src/deployment/record/states.ts';
import { repairTarget, rollbackTarget, trustIn } from '../../../src/deployment/record/trust.ts';

type Told = Partial<RunRecord> & { readonly state?: EndState; readonly status?: number };

/** A run from one commit to another; without a state it was killed. */
function run(from: string, to: string, { state, status = 200, ...told }: Told = {}): RunRecord {
  const document = { state, previousCommit: from, newCommit: to, httpStatus: status } as DeployDocument;
  const record = {
    id: `${from}${to}`,
    kind: 'deploy',
    branch: 'main',
    mode: 'in-place',
    startedAt: 'T',
    pid: 1,
    bootId: 'b',
    children: [],
  } as const;
  return { ...record, reset: { from, to }, ...(state === undefined ? {} : { document }), ...told };
}
const verified = (from: string, to: string) => run(from, to, { state: 'verified' });
const rolledBack = (from: string, to: string) =>
  run(from, to, { state: 'rolled-back', rolledBackTo: from, quarantined: { commit: to, because: 'status 500' } });
const targetOf = (runs: readonly RunRecord[], head: string) => rollbackTarget(trustIn(runs), head);

test('the target is PREVIOUS_COMMIT', () => {
  assert.equal(targetOf([], 'a'), 'a');
  assert.equal(targetOf([verified('a', 'b')], 'b'), 'b');
  assert.equal(targetOf([verified('a', 'b')], 'by hand'), 'by hand');
  assert.equal(targetOf([rolledBack('a', 'b')], 'a'), 'a');
});

test('an unproved commit of a killed run is no target: the last verified one is', () => {
  assert.equal(targetOf([verified('a', 'b'), run('b', 'c')], 'c'), 'b');
  assert.equal(targetOf([verified('a', 'b'), run('b', 'c'), run('c', 'd')], 'd'), 'b');
  assert.equal(targetOf([verified('a', 'b'), run('b', 'c')], 'b'), 'b');
});

test('a run that was killed after its commit was verified counts as ended', () => {
  const runs = [verified('a', 'b'), run('b', 'c', { verified: 'c' })];
  assert.deepEqual([trustIn(runs).base, trustIn(runs).killed], ['c', []]);
  assert.equal(targetOf(runs, 'c'), 'c');
});

test('a repair goes to the target of the newest failed rollback of a deploy, and back to where a failed command `rollback` began', () => {
  const failed = (more: Told) => run('b', 'c', { state: 'rollback-failed', ...more });
  const goal = (...more: readonly RunRecord[]) => repairTarget(trustIn([verified('a', 'b'), ...more]));
  assert.equal(goal(failed({ rolledBackTo: 'by hand' })), 'by hand');
  assert.equal(goal(failed({ rolledBackTo: 'x' }), failed({ kind: 'repair' })), 'c');
  assert.equal(goal(failed({})), 'b');
  assert.equal(goal(failed({ rolledBackTo: 'by hand' }), run('c', 'd')), 'b', 'after a kill nobody knows');
  const asked = failed({ kind: 'rollback', rolledBackTo: 'a', quarantined: { commit: 'b', because: 'by hand' } });
  const trust = trustIn([verified('a', 'b'), asked]);
  assert.deepEqual([trust.failed, repairTarget(trust)], [[asked], 'b']);
  assert.equal(trust.quarantined.has('b'), false, 'it is still live');
});

test('before any verified commit the target is where the killed run came from', () => {
  assert.equal(targetOf([run('a', 'b')], 'b'), 'a');
  assert.equal(targetOf([run('a', 'b'), run('b', 'c')], 'c'), 'a');
});

test('the first deploy of a checkout comes from the empty tree, which is no target', () => {
  const emptyTree = '4b825dc642cb6eb9a060e54bf8d69288fbee4904';
  assert.equal(trustIn([run(emptyTree, 'a')]).base, undefined);
  assert.equal(targetOf([run(emptyTree, 'a'), run('a', 'b')], 'b'), 'a');
});

test('the quarantined commit that a failed rollback leaves is no target', () => {
  const failed = run('b', 'c', {
    state: 'rollback-failed',
    status: 500,
    quarantined: { commit: 'c', because: 'status 500' },
  });
  assert.equal(targetOf([verified('a', 'b'), failed], 'c'), 'b');
});

test('a failed rollback counts until a later run has verified a commit', () => {
  const failed = run('b', 'c', { state: 'rollback-failed', status: 500 });
  const idle = run('c', 'c', { state: 'unchanged' });
  assert.deepEqual(trustIn([verified('a', 'b'), failed, idle]).failed, [failed]);
  for (const ends of [
    verified('c', 'd'),
    run('c', 'd', { state: 'updated' }),
    run('c', 'd', { state: 'aborted', repairedTo: 'b' }),
  ])
    assert.deepEqual(trustIn([verified('a', 'b'), failed, ends]).failed, []);
});

test('the commit that a repair verified is the last verified one, until another is', () => {
  const repaired = run('a', 'b', { state: 'aborted', repairedTo: 'a' });
  assert.equal(lastVerified([run('a', 'b'), repaired]), 'a');
  assert.equal(lastVerified([run('a', 'b'), { ...verified('a', 'c'), repairedTo: 'a' }]), 'c');
  assert.equal(lastVerified([run('a', 'b')]), undefined);
});

test('a failed commit is quarantined until it passes', () => {
  assert.equal(trustIn([rolledBack('a', 'b')]).quarantined.get('b'), 'status 500');
  assert.equal(trustIn([rolledBack('a', 'b'), verified('a', 'b')]).quarantined.size, 0);
  assert.deepEqual([...trustIn([rolledBack('a', 'b'), verified('a', 'c')]).quarantined.keys()], ['b']);
});

test('a killed run counts until a later one has verified a commit', () => {
  assert.equal(trustIn([run('a', 'b')]).killed.length, 1);
  assert.equal(trustIn([run('a', 'b'), verified('a', 'b')]).killed.length, 0);
  assert.equal(
    trustIn([run('a', 'b'), run('b', 'c', { state: 'rolled-back-unhealthy', status: 500 })]).killed.length,
    1,
  );
});

test('a killed run that had changed nothing counts until a later one has repaired it', () => {
  const { reset: _, ...killed } = run('a', 'b');
  const unchanged = { ...killed, document: { state: 'unchanged' } as DeployDocument };
  const refused = { ...killed, document: { state: 'aborted' } as DeployDocument };
  assert.equal(trustIn([killed, refused]).killed.length, 1);
  assert.equal(trustIn([killed, unchanged]).killed.length, 0);
  assert.equal(trustIn([run('a', 'b'), unchanged]).killed.length, 1);
});

test('the basic variant verifies nothing, and leaves nothing unproved', () => {
  assert.equal(targetOf([verified('a', 'b'), run('b', 'c', { state: 'updated' })], 'c'), 'c');
});

test('the target is never a commit that was found bad, where another one is known', () => {
  const commit = fc.constantFrom('a', 'b', 'c', 'd');
  const any = fc.tuple(commit, commit, fc.constantFrom('verified', 'rolled-back', 'killed')).map(([from, to, end]) => {
    if (end === 'killed') return run(from, to);
    return end === 'verified' ? verified(from, to) : rolledBack(from, to);
  });
  fc.assert(
    fc.property(fc.array(any, { maxLength: 8 }), commit, (runs, head) => {
      const trust = trustIn(runs);
      const target = rollbackTarget(trust, head);
      if (trust.base !== undefined && trust.unproved.has(head)) assert.equal(target, trust.base);
      if (!trust.unproved.has(head) && !trust.quarantined.has(head)) assert.equal(target, head);
    }),
  );
});
