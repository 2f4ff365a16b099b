import assert from 'node:assert/strict';
import { test } from 'node:test';
import { rehearsalSite } from '../../../src/cli/cluster/rehearsal-site.ts';
import { openJournal, readJournal } from '../../../src/journal/journal.ts';
import { rehearsalHost } from '../../../src/rehearsal/host.ts';
import { exitCodeOf } from '../../../src/validation/judge/exit-code.ts';
import { recover } from '../../../src/validation/procedure/recover.ts';
import type { ValidationFact } from '../../../src/validation/record/events.ts';
import { openIntents } from '../../../src/validation/record/open-intents.ts';
import { runFiles } from '../../../src/validation/record/run-folder.ts';
import { nodeDrain } from '../../../src/validation/scenarios/node-drain.ts';
import { cutPoints } from '../../support/cut-points.ts';
import { quietHost } from '../../support/quiet-host.ts';
import { recovered } from '../../support/recovered.ts';
import { rehearse } from '../../support/rehearse.ts';

/** A drain during whose undo the API server is away. */
async function drainWithoutUndo(t: Parameters<typeof rehearse>[0]) {
  let drained = false;
  return rehearse(t, {
    scenarios: [nodeDrain],
    onFact(fact) {
      if (fact.type === 'action-verified') drained ||= fact.expectation.id === 'drained';
    },
    answers: ({ method }) => !drained || method === 'GET',
  });
}

test('an action that could not be undone leads to exit 5 with the command to type, and `recover` undoes it in a new process', async (t) => {
  const { facts, result, folder, rehearsal } = await drainWithoutUndo(t);
  assert.equal(exitCodeOf(facts, result), 5);
  assert.equal(result.verdict, 'error');
  const failed = facts.find((fact) => fact.type === 'action-undone' && fact.state === 'failed');
  assert.match(JSON.stringify(failed), /By hand: kubectl uncordon ip-/);
  const saved = JSON.parse(JSON.stringify(rehearsal.world.save()));

  const later = rehearsalHost({ seed: '1', real: quietHost(), saved });
  const ends = await later.run(async () => {
    const journal = await openJournal<ValidationFact>(later.host, `${folder}/${runFiles.journal}`);
    const site = rehearsalSite(later);
    const recovered = await recover(site, facts, journal, { cleanup: false });
    await journal.close();
    return recovered;
  });
  assert.deepEqual(
    ends.map(({ intent, undo }) => [intent.action, undo.state]),
    [['drain-node', 'undone']],
  );
  const nodes = await later.world.kubernetes('test').list('Node');
  assert.deepEqual(
    nodes.filter(({ spec }) => spec?.unschedulable === true),
    [],
  );
  const read = await readJournal<ValidationFact>(quietHost().files, `${folder}/${runFiles.journal}`);
  assert.deepEqual(openIntents(read?.facts ?? []), [], 'a second recover finds nothing');
});

test('recover deletes the applied objects of a run with --cleanup', async (t) => {
  const options = { scenarios: [nodeDrain], cleanup: true };
  const run = await cutPoints(
    t,
    options,
    (_n, { request }, touches) => touches && request?.url.includes('/eviction') === true,
  );
  const [point] = run.points;
  assert.ok(point);
  const { undo } = await recovered(t, run, point, 'killed', () => 0);
  const applied = undo.filter(({ action }) => action === 'apply-object');
  assert.equal(applied.length, 5);
  assert.deepEqual([...new Set(applied.map(({ state }) => state))], ['undone']);
});

test('recover --cleanup removes what a run that came to its end has kept', async (t) => {
  const { facts, folder, rehearsal } = await rehearse(t, { scenarios: [nodeDrain] });
  assert.deepEqual(openIntents(facts), [], 'nothing is left to undo');
  const saved = JSON.parse(JSON.stringify(rehearsal.world.save()));
  const later = rehearsalHost({ seed: '1', real: quietHost(), saved });
  const left = async () => {
    const cluster = later.world.kubernetes('test');
    const names = (await cluster.list('Deployment', { namespace: 'default' })).map(({ metadata }) => metadata.name);
    return [...names, ...(await cluster.list('NodePool')).map(({ metadata }) => metadata.name)];
  };
  assert.deepEqual(await left(), ['nginx-test', 'general-purpose-arm']);
  const ends = await later.run(async () => {
    const journal = await openJournal<ValidationFact>(later.host, `${folder}/${runFiles.journal}`);
    const all = await recover(rehearsalSite(later), facts, journal, { cleanup: true });
    await journal.close();
    return all;
  });
  assert.deepEqual(
    ends.map(({ intent, undo }) => [intent.action, undo.state]),
    Array.from({ length: 5 }, () => ['apply-object', 'undone']),
  );
  assert.equal((await left()).includes('nginx-test'), false);
  const read = await readJournal<ValidationFact>(quietHost().files, `${folder}/${runFiles.journal}`);
  assert.deepEqual(openIntents(read?.facts ?? [], { cleanup: true }), [], 'a second one finds nothing');
});
