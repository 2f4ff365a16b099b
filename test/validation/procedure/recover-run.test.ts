import assert from 'node:assert/strict';
import { join } from 'node:path';
import { test } from 'node:test';
import { manifestOf } from '../../../src/cluster/manifest.ts';
import { OperationError } from '../../../src/host/errors.ts';
import { nodeFiles } from '../../../src/host/files.ts';
import type { Files, Host } from '../../../src/host/host.ts';
import { openJournal, readJournal } from '../../../src/journal/journal.ts';
import type { PlannedAction } from '../../../src/validation/actions/index.ts';
import { takeLease } from '../../../src/validation/lease/lease.ts';
import { type InterruptedRun, recoverRun } from '../../../src/validation/procedure/recover.ts';
import type { ValidationFact } from '../../../src/validation/record/events.ts';
import { actingOn } from '../../support/acting-on.ts';
import { type ApiSite, apiSite } from '../../support/api-site.ts';
import { poolNode } from '../../support/objects.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';

const namespace = 'default';

/** A run that was killed while a node was cordoned. */
async function killed(t: Parameters<typeof temporaryFolder>[0], at: ApiSite, files: Files): Promise<InterruptedRun> {
  await at.put(poolNode('a'));
  const site = { ...at.site, host: { ...at.site.host, files: held(files, at) } as Host };
  const folder = temporaryFolder(t);
  await act(at, folder, { action: 'cordon-node', target: { node: 'a' } });
  return { site, namespace, folder, facts: await factsIn(at, folder), run: 'run', cleanup: false };
}

const pathIn = (folder: string) => join(folder, 'journal.jsonl');

async function factsIn(at: ApiSite, folder: string): Promise<readonly ValidationFact[]> {
  return (await readJournal<ValidationFact>(held(nodeFiles(), at), pathIn(folder)))?.facts ?? [];
}

/** Performs one more action of the run and journals it. */
async function act(at: ApiSite, folder: string, planned: PlannedAction): Promise<void> {
  const journal = await openJournal<ValidationFact>(
    { files: held(nodeFiles(), at), clock: at.it.clock },
    pathIn(folder),
  );
  const acting = actingOn(at);
  await acting.act(planned);
  for (const { at: _, ...fact } of acting.facts) journal.record({ ...fact, id: subjectOf(planned) } as never);
  await journal.close();
}

const subjectOf = ({ target }: PlannedAction): string => JSON.stringify(target);

/** Virtual time stops while a file is read or written. */
function held(files: Files, { it: { clock } }: ApiSite): Files {
  return {
    ...files,
    read: (path) => clock.hold('read', () => files.read(path)),
    stat: (path) => clock.hold('stat', () => files.stat(path)),
    append: async (path, options) => {
      const appender = await clock.hold('open', () => files.append(path, options));
      return {
        write: (text) => clock.hold('write', () => appender.write(text)),
        sync: () => clock.hold('sync', () => appender.sync()),
        close: () => clock.hold('close', () => appender.close()),
      };
    },
  };
}

const isCordoned = async ({ cluster }: ApiSite, name = 'a') =>
  (await cluster.get('Node', { name }))?.spec?.unschedulable === true;

for (const holder of ['run', 'recover of run']) {
  test(`while ${holder} is alive nothing is undone, and the holder is named`, (t) =>
    apiSite(async (at) => {
      const left = await killed(t, at, nodeFiles());
      const asking = { cluster: at.site.cluster, clock: at.it.clock, namespace, holder };
      const lease = await takeLease(asking, () => {});
      assert.ok('release' in lease);
      const recovered = await recoverRun(left);
      assert.equal('holder' in recovered && recovered.holder, holder);
      assert.equal(await isCordoned(at), true);
      await lease.release();
      assert.ok('ends' in (await recoverRun(left)));
      assert.equal(await isCordoned(at), false);
    }));
}

test('with the API server away every action stays open, with the command to type', (t) =>
  apiSite(async (at) => {
    const left = await killed(t, at, nodeFiles());
    at.it.fault = () => ({ kind: 'refused' });
    const recovered = await recoverRun(left);
    assert.ok('ends' in recovered);
    const [end] = recovered.ends;
    assert.equal(end?.undo.state, 'failed');
    assert.match(end?.undo.because ?? '', /connection refused\..* By hand: kubectl uncordon a$/);
  }));

test('on a full disk everything is undone, and it is reported that the journal does not have it', (t) =>
  apiSite(async (at) => {
    const files = nodeFiles();
    const full: Files = {
      ...files,
      append: async (path) => ({
        ...(await files.append(path)),
        write: () => Promise.reject(new OperationError({ tried: 'Appending to', on: path, reason: 'ENOSPC' })),
      }),
    };
    const recovered = await recoverRun(await killed(t, at, full));
    assert.ok('ends' in recovered);
    assert.deepEqual(
      recovered.ends.map(({ undo }) => undo.state),
      ['undone'],
    );
    assert.match(recovered.unrecorded ?? '', /ENOSPC/);
    assert.equal(await isCordoned(at), false);
  }));

test('a journal that cannot be opened or read stops no undo', (t) =>
  apiSite(async (at) => {
    const refuse = (path: string) =>
      Promise.reject(new OperationError({ tried: 'Opening', on: path, reason: 'EROFS: read-only file system' }));
    const recovered = await recoverRun(await killed(t, at, { ...nodeFiles(), read: refuse, append: refuse }));
    assert.ok('ends' in recovered);
    assert.match(recovered.unrecorded ?? '', /EROFS/);
    assert.equal(await isCordoned(at), false);
  }));

test('without the namespace there is no lease, and what was changed elsewhere is still undone', (t) =>
  apiSite(async (at) => {
    await at.put({ ...going, metadata: { name: 'going' }, spec: { finalizers: ['kubernetes'] } });
    await at.cluster.delete('Namespace', { name: 'going' });
    for (const [namespace, because] of [
      ['gone', /namespaces "gone" not found/],
      ['going', /being terminated/],
    ] as const) {
      const left = await killed(t, at, nodeFiles());
      const recovered = await recoverRun({ ...left, namespace });
      assert.ok('ends' in recovered, namespace);
      assert.deepEqual(
        recovered.ends.map(({ undo }) => undo.state),
        ['undone'],
      );
      assert.match(recovered.withoutLease ?? '', because);
      assert.equal(await isCordoned(at), false);
      await at.cluster.delete('Node', { name: 'a' });
    }
  }));

test('actions of the run while recover waited for its lease are undone too', (t) =>
  apiSite(async (at) => {
    const left = await killed(t, at, nodeFiles());
    await at.put(poolNode('b'));
    const lease = await takeLease(
      { cluster: at.site.cluster, clock: at.it.clock, namespace, holder: 'run' },
      () => undefined,
    );
    assert.ok('release' in lease);
    const recovering = recoverRun(left);
    await at.it.clock.sleep(1);
    await act(at, left.folder, { action: 'cordon-node', target: { node: 'b' } });
    await lease.release();
    assert.ok('ends' in (await recovering));
    assert.deepEqual([await isCordoned(at, 'a'), await isCordoned(at, 'b')], [false, false]);
  }));

test('applied objects are kept without --cleanup, and deleted by a later recover with it; then no action is open', (t) =>
  apiSite(async (at) => {
    const left = await killed(t, at, nodeFiles());
    await act(at, left.folder, { action: 'apply-object', target: manifestOf(service) });
    await act(at, left.folder, { action: 'apply-object', target: manifestOf({ ...service, metadata: there }) });
    const endsWith = async (cleanup: boolean) => {
      const recovered = await recoverRun({ ...left, cleanup });
      assert.ok('ends' in recovered);
      return recovered.ends.map(({ undo }) => undo.state);
    };
    assert.deepEqual(await endsWith(false), ['kept', 'kept', 'undone']);
    assert.deepEqual(await endsWith(false), []);
    assert.deepEqual(await endsWith(true), ['undone', 'undone']);
    assert.deepEqual(await endsWith(true), []);
    assert.equal(await at.cluster.get('Service', { namespace, name: 'web' }), undefined);
  }));

test('with the API server away no command deletes an object that existed before the run', (t) =>
  apiSite(async (at) => {
    const left = await killed(t, at, nodeFiles());
    await at.put({ ...service, metadata: there });
    await act(at, left.folder, { action: 'apply-object', target: manifestOf(service) });
    await act(at, left.folder, { action: 'apply-object', target: manifestOf({ ...service, metadata: there }) });
    at.it.fault = () => ({ kind: 'refused' });
    const recovered = await recoverRun({ ...left, facts: await factsIn(at, left.folder), cleanup: true });
    assert.ok('ends' in recovered);
    assert.deepEqual(
      recovered.ends.map(({ undo }) => undo.because.replace(/^.*By hand: /, '')),
      ['kubectl delete service web -n default', 'kubectl uncordon a'],
    );
  }));

const going = { apiVersion: 'v1', kind: 'Namespace' };
const there = { namespace, name: 'other' };
const service = {
  apiVersion: 'v1',
  kind: 'Service',
  metadata: { namespace, name: 'web' },
  spec: { selector: { app: 'web' }, ports: [{ port: 80 }] },
} as const;
