import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Journal } from '../../../src/journal/journal.ts';
import { cordonNode } from '../../../src/validation/actions/cordon-node.ts';
import { undoAction } from '../../../src/validation/actions/undo-action.ts';
import type { ValidationFact } from '../../../src/validation/record/events.ts';
import { type ApiSite, apiSite } from '../../support/api-site.ts';
import { poolNode } from '../../support/objects.ts';

const never = new AbortController().signal;

/** What is journaled, and when: seconds of the clock. */
function journalOf({ it }: ApiSite) {
  const facts: { readonly state?: string; readonly seconds: number }[] = [];
  const intend: Journal<ValidationFact>['intend'] = async (fact) => {
    facts.push({ ...fact, seconds: it.clock.monotonicSeconds() });
  };
  return { facts, intend };
}

async function cordoned(at: ApiSite) {
  await at.put(poolNode('a'));
  const intent = await cordonNode.prepare(at.site, { node: 'a' });
  await cordonNode.perform(at.site, intent, never);
  return { id: 'action-1', action: 'cordon-node', subject: 'Node a', intent };
}

test('an API server that is away is asked for a minute, and what was not undone says what to type', () =>
  apiSite(async (at) => {
    const begun = await cordoned(at);
    const journal = journalOf(at);
    at.it.fault = () => ({ kind: 'refused' });
    const began = at.it.clock.monotonicSeconds();
    const { state, because } = await undoAction(at.site, journal, begun);
    assert.equal(state, 'failed');
    assert.match(because, /connection refused\..* By hand: kubectl uncordon a$/);
    const [fact] = journal.facts;
    assert.equal(fact?.state, 'failed');
    assert.ok((fact?.seconds ?? 0) - began > 60);
  }));

test('an API server that comes back within that minute costs nothing', () =>
  apiSite(async (at) => {
    const begun = await cordoned(at);
    const until = at.it.clock.monotonicSeconds() + 45;
    at.it.fault = () => (at.it.clock.monotonicSeconds() < until ? { kind: 'refused' } : undefined);
    assert.equal((await undoAction(at.site, journalOf(at), begun)).state, 'undone');
  }));

test('an API server that hangs is not asked for longer than one that refuses, but for the answer that it owes', () =>
  apiSite(async (at) => {
    const begun = await cordoned(at);
    at.it.fault = () => ({ kind: 'hang' });
    const began = at.it.clock.monotonicSeconds();
    assert.equal((await undoAction(at.site, journalOf(at), begun)).state, 'failed');
    assert.ok(at.it.clock.monotonicSeconds() - began < 130);
  }));

test('a second signal gives an undo that hangs five seconds more, and one that is answered is made', () =>
  apiSite(async (at) => {
    const begun = await cordoned(at);
    const hurry = new AbortController();
    hurry.abort();
    at.it.fault = () => ({ kind: 'hang' });
    const began = at.it.clock.monotonicSeconds();
    const late = await undoAction(at.site, journalOf(at), begun, hurry.signal);
    assert.match(late.because, /not done 5 s after the second signal\. By hand: kubectl uncordon a/);
    assert.ok(at.it.clock.monotonicSeconds() - began < 6);
    at.it.fault = () => undefined;
    assert.equal((await undoAction(at.site, journalOf(at), begun, hurry.signal)).state, 'undone');
  }));

test('what became of an undo is on disk before anything else is undone', () =>
  apiSite(async (at) => {
    const begun = await cordoned(at);
    const { promise: onDisk, resolve: write } = Promise.withResolvers<void>();
    const ended = undoAction(at.site, { intend: () => onDisk }, begun);
    const first = await Promise.race([ended, at.it.clock.sleep(30).then(() => 'it waits')]);
    assert.equal(first, 'it waits');
    write();
    assert.equal((await ended).state, 'undone');
  }));

test('an action of another version is left and told, and a journal that cannot be written holds no undo up', () =>
  apiSite(async (at) => {
    const begun = await cordoned(at);
    const full = { intend: () => Promise.reject(new Error('ENOSPC')) };
    assert.equal((await undoAction(at.site, full, begun)).state, 'undone');
    const { state, because } = await undoAction(at.site, full, { ...begun, action: 'freeze-node' });
    assert.deepEqual([state, because], ['failed', 'this version knows no action freeze-node']);
  }));
