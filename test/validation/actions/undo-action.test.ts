import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Journal } from '../../../src/journal/journal.ts';
import { cordonNode } from '../../../src/validation/actions/cordon-node.ts';
import { undoAction } from '../../../src/validation/actions/undo-action.ts';
import type { ValidationFact } from '../../../src/validation/record/events.ts';
import { type ApiSite, apiSite } from '../../support/api-site.ts';
import { poolNode } from '../../support/objects.ts';

const never = new AbortController().signal;

/** The journaled facts, each with the seconds of the clock. */
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

test('an undo is retried for a minute while the API server is away, and then has the command to type', () =>
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

test('an undo succeeds when the API server answers again within that minute', () =>
  apiSite(async (at) => {
    const begun = await cordoned(at);
    const until = at.it.clock.monotonicSeconds() + 45;
    at.it.fault = () => (at.it.clock.monotonicSeconds() < until ? { kind: 'refused' } : undefined);
    assert.equal((await undoAction(at.site, journalOf(at), begun)).state, 'undone');
  }));

test('an undo against an API server that hangs ends after that minute and one request', () =>
  apiSite(async (at) => {
    const begun = await cordoned(at);
    at.it.fault = () => ({ kind: 'hang' });
    const began = at.it.clock.monotonicSeconds();
    assert.equal((await undoAction(at.site, journalOf(at), begun)).state, 'failed');
    assert.ok(at.it.clock.monotonicSeconds() - began < 130);
  }));

test('after a second signal an undo that hangs has five more seconds, and one that is answered succeeds', () =>
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

test('the result of an undo is on disk before the next action is undone', () =>
  apiSite(async (at) => {
    const begun = await cordoned(at);
    const { promise: onDisk, resolve: write } = Promise.withResolvers<void>();
    const ended = undoAction(at.site, { intend: () => onDisk }, begun);
    const first = await Promise.race([ended, at.it.clock.sleep(30).then(() => 'it waits')]);
    assert.equal(first, 'it waits');
    write();
    assert.equal((await ended).state, 'undone');
  }));

test('an unknown action is left open and reported, and a journal that cannot be written stops no undo', () =>
  apiSite(async (at) => {
    const begun = await cordoned(at);
    const full = { intend: () => Promise.reject(new Error('ENOSPC')) };
    assert.equal((await undoAction(at.site, full, begun)).state, 'undone');
    const { state, because } = await undoAction(at.site, full, { ...begun, action: 'freeze-node' });
    assert.deepEqual([state, because], ['failed', 'this version knows no action freeze-node']);
  }));
