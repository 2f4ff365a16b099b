import assert from 'node:assert/strict';
import { join } from 'node:path';
import { test } from 'node:test';
import { OperationError } from '../../src/host/errors.ts';
import { nodeFiles } from '../../src/host/files.ts';
import type { Files, Host } from '../../src/host/host.ts';
import { openJournal, readJournal } from '../../src/journal/journal.ts';
import { cordonNode } from '../../src/validation/actions/cordon-node.ts';
import type { ValidationFact } from '../../src/validation/events.ts';
import { takeLease } from '../../src/validation/lease.ts';
import { type InterruptedRun, recoverRun } from '../../src/validation/recover-run.ts';
import { type ApiSite, apiSite } from '../support/api-site.ts';
import { poolNode } from '../support/objects.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';

const namespace = 'default';

/** A run that was killed with a cordoned node. */
async function killed(t: Parameters<typeof temporaryFolder>[0], at: ApiSite, files: Files): Promise<InterruptedRun> {
  await at.put(poolNode('a'));
  const site = { ...at.site, host: { ...at.site.host, files: held(files, at) } as Host };
  const folder = temporaryFolder(t);
  const intent = await cordonNode.prepare(site, { node: 'a' });
  const { clock } = at.it;
  const journal = await openJournal<ValidationFact>(
    { files: held(nodeFiles(), at), clock },
    join(folder, 'journal.jsonl'),
  );
  const fact = { id: 'action-1', action: 'cordon-node', scenario: null, subject: 'Node a', intent };
  await journal.intend({ type: 'action-intended', ...fact });
  await journal.close();
  await cordonNode.perform(site, intent, new AbortController().signal);
  const facts = (await readJournal<ValidationFact>(nodeFiles(), join(folder, 'journal.jsonl')))?.facts ?? [];
  return { site, namespace, folder, facts, run: 'run', cleanup: false };
}

/** Time stands still while a file is read or written. */
function held(files: Files, { it: { clock } }: ApiSite): Files {
  return {
    ...files,
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

const isCordoned = async ({ cluster }: ApiSite) =>
  (await cluster.get('Node', { name: 'a' }))?.spec?.unschedulable === true;

for (const holder of ['run', 'recover of run']) {
  test(`while ${holder} is alive nothing is undone, and it is named`, (t) =>
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

test('an API server that is away leaves everything open, with what to type', (t) =>
  apiSite(async (at) => {
    const left = await killed(t, at, nodeFiles());
    at.it.fault = () => ({ kind: 'refused' });
    const recovered = await recoverRun(left);
    assert.ok('ends' in recovered);
    const [end] = recovered.ends;
    assert.equal(end?.undo.state, 'failed');
    assert.match(end?.undo.because ?? '', /connection refused\. By hand: kubectl uncordon a$/);
  }));

test('on a full disk everything is undone all the same, and it is said that the journal does not tell it', (t) =>
  apiSite(async (at) => {
    const files = nodeFiles();
    const full: Files = {
      ...files,
      append: async (path) => ({
        ...(await files.append(path)),
        write: () => Promise.reject(new OperationError({ tried: 'Appending to', on: path, cameBack: 'ENOSPC' })),
      }),
    };
    const recovered = await recoverRun(await killed(t, at, full));
    assert.ok('ends' in recovered);
    assert.deepEqual(
      recovered.ends.map(({ undo }) => undo.state),
      ['undone'],
    );
    assert.match(recovered.untold ?? '', /ENOSPC/);
    assert.equal(await isCordoned(at), false);
  }));
