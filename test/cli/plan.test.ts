import assert from 'node:assert/strict';
import { join } from 'node:path';
import { test } from 'node:test';
import type { Kind } from '../../src/cluster/kinds.ts';
import { kindPlaces } from '../../src/cluster/kinds.ts';
import type { RunPlan } from '../../src/validation/plan.ts';
import { scenarios } from '../../src/validation/scenarios/index.ts';
import { inShell, type Shell } from '../support/cluster-commands.ts';

/** What is in the cluster, but for what its own controllers renew. */
async function everything({ cluster }: Shell): Promise<string> {
  const kinds = (Object.keys(kindPlaces) as Kind[]).filter(
    (kind) => !['SelfSubjectAccessReview', 'PodMetrics', 'Lease', 'Event'].includes(kind),
  );
  const lists = await Promise.all(kinds.map((kind) => cluster.list(kind)));
  return JSON.stringify(lists.flat().map(({ kind, metadata }) => [kind, metadata.name, metadata.generation]));
}

test('a plan writes nothing, before there is anything and after', (t) =>
  inShell(t, async (shell) => {
    const before = await everything(shell);
    const first = await shell.holdfast('plan');
    assert.equal(first.exitCode, 0, first.stderr);
    assert.equal(await everything(shell), before);
    assert.match(first.stdout, /new NodePool general-purpose-arm\n {2}new Deployment default\/nginx-test/);
    assert.match(first.stdout, /Manual node drain, .*\n {2}open now: no node of pool/);
    assert.match(first.stdout, /in the end deletes Lease default\/holdfast/);
    assert.match(first.stdout, /lasts \d+m to \d+m/);
    assert.match(first.stdout, /Permissions\n {2}all there/);
  }));

test('a plan names every write with its undo, who else is hit, what is expected, and each reason', (t) =>
  inShell(t, async (shell) => {
    await shell.holdfast('validate', '--scenario', 'single-replica', '--yes', '--out', join(shell.folder, 'run'));
    const before = await everything(shell);
    const { stdout, exitCode } = await shell.holdfast('plan', '--json');
    assert.equal(exitCode, 0);
    assert.equal(await everything(shell), before);
    const plan: RunPlan = JSON.parse(stdout);
    assert.deepEqual(
      plan.applies.map(({ adoption }) => adoption.state),
      ['unchanged', 'unchanged', 'unchanged', 'unchanged', 'unchanged'],
    );
    assert.deepEqual(
      plan.scenarios.map(({ name }) => name),
      scenarios.map(({ name }) => name),
    );
    for (const { name, writes, prediction, open } of plan.scenarios) {
      assert.ok(writes.length > 0 || open !== null, name);
      assert.ok(
        writes.every(({ undo }) => undo !== null),
        `${name}: ${JSON.stringify(writes)}`,
      );
      assert.ok((prediction?.steps.length ?? 0) > 0 && prediction?.steps.every(({ because }) => because !== ''), name);
    }
    assert.equal(plan.lease, 'Lease default/holdfast');
    const sent = plan.scenarios.find(({ name }) => name === 'load');
    assert.deepEqual(sent?.writes.at(-1)?.undo, '# nothing: requests leave nothing behind');
    const drain = plan.scenarios.find(({ name }) => name === 'node-drain');
    assert.match(drain?.writes[0]?.undo ?? '', /^kubectl uncordon ip-/);
    assert.ok(drain?.notes.some((note) => note.startsWith('who else is on ip-')));
    const kill = plan.scenarios.find(({ name }) => name === 'instance-kill');
    assert.ok(
      kill?.writes.some(({ action, subject }) => action === 'terminate-instance' && /instance i-/.test(subject)),
    );
  }));

test('a budget that lets no pod go is foreseen in the server’s own words', (t) =>
  inShell(t, async (shell) => {
    await shell.holdfast('validate', '--scenario', 'single-replica', '--yes', '--out', join(shell.folder, 'run'));
    const at = { namespace: 'default', name: 'nginx-pdb' };
    await shell.cluster.patch('PodDisruptionBudget', at, { type: 'merge', value: { spec: { minAvailable: 2 } } });
    await shell.host.clock.sleep(30);
    const { stdout } = await shell.holdfast('plan', '--scenario', 'node-drain');
    assert.match(stdout, /refused PodDisruptionBudget default\/nginx-pdb: conflict with "bystander"/);
    assert.match(
      stdout.replaceAll(/\s+/g, ' '),
      /would not be evicted: The disruption budget nginx-pdb needs 2 healthy pods and has 2 currently/,
    );
  }));

test('a permission that is missing is named, and the exit code says so', (t) =>
  inShell(t, async (shell) => {
    shell.refuses = ({ verb, resource }) => verb === 'patch' && resource === 'nodes';
    const { stdout, exitCode } = await shell.holdfast('plan', '--scenario', 'node-drain');
    assert.equal(exitCode, 1);
    assert.match(stdout, /missing patch nodes in the cluster \(node-drain, to undo\)/);
  }));
