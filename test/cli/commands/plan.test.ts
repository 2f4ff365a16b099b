import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import type { Kind } from '../../../src/cluster/kinds.ts';
import { kindPlaces } from '../../../src/cluster/kinds.ts';
import type { RunPlan } from '../../../src/validation/plan/plan.ts';
import { scenarios } from '../../../src/validation/scenarios/index.ts';
import { inShell, type Shell } from '../../support/cluster-commands.ts';

/** What is in the cluster, but for what its own controllers renew. */
async function everything({ cluster }: Shell): Promise<string> {
  const kinds = (Object.keys(kindPlaces) as Kind[]).filter(
    (kind) => !['SelfSubjectAccessReview', 'PodMetrics', 'Lease', 'Event'].includes(kind),
  );
  const lists = await Promise.all(kinds.map((kind) => cluster.list(kind)));
  return JSON.stringify(lists.flat().map(({ kind, metadata }) => [kind, metadata.name, metadata.generation]));
}

test('a plan writes nothing, neither before the application exists nor after', (t) =>
  inShell(t, async (shell) => {
    const before = await everything(shell);
    const first = await shell.holdfast('plan');
    assert.equal(first.exitCode, 0, first.stderr);
    assert.equal(await everything(shell), before);
    assert.match(first.stdout, /new NodePool general-purpose-arm\n {2}new Deployment default\/nginx-test/);
    assert.doesNotMatch(first.stdout, /cannot be planned now|not yet/);
    assert.match(first.stdout, /creates Lease default\/holdfast, renews it and deletes it at the end/);
    assert.match(first.stdout, /takes \d+ min to \d+ min/);
    assert.match(first.stdout, /Permissions\n {2}all granted/);
  }));

test('a plan with --vantage in-cluster names the pod of each zone and its undo, and without it none', (t) =>
  inShell(t, async (shell) => {
    const words = ['--scenario', 'scale-up', '--vantage', 'in-cluster'];
    const { probes } = await planned(shell, ...words);
    assert.deepEqual(
      probes?.writes.map(({ action, subject, undo }) => [action, subject, undo]),
      ['a', 'b', 'c'].map((zone) => {
        const name = `holdfast-probe-us-east-1${zone}--run-`;
        return ['start-probe', `Pod default/${name}`, `kubectl -n default delete pod ${name}`];
      }),
    );
    const told = await shell.holdfast('plan', ...words);
    assert.match(
      told.stdout,
      /Probes in the cluster, deleted at the end .*\n {2}start-probe: Pod default\/holdfast-probe-us-east-1a/,
    );
    assert.equal((await planned(shell, '--scenario', 'scale-up')).probes, undefined);
    const wrong = await shell.holdfast('plan', '--vantage', 'outside');
    assert.equal(wrong.exitCode, 2);
    assert.match(wrong.stderr, /--vantage/);
  }));

test('a plan beside other applications says what they share, in which order they go, and every mistake of their files at once', (t) =>
  inShell(t, async (shell) => {
    const file = (name: string, validation: object): string => {
      const path = join(shell.folder, name);
      writeFileSync(path, JSON.stringify({ validation }));
      return path;
    };
    const same = file('shop.yaml', { application: 'shop', url: 'http://shop.example.com/', disruptionBudget: 'shop' });
    const words = ['--scenario', 'node-drain', '--beside', same];
    const { together } = JSON.parse((await shell.holdfast('plan', '--json', ...words)).stdout);
    assert.deepEqual(together.steps, [['default/nginx-test'], ['default/shop']]);
    assert.match(
      (await shell.holdfast('plan', ...words)).stdout.replaceAll(/\n +/g, ' '),
      /Beside other applications .*default\/nginx-test and default\/shop share the pool general-purpose-arm: scale-up, node-drain,/,
    );
    const wrong = [file('one.yaml', { applicaton: 'x' }), file('two.yaml', { url: 'ftp://x' })];
    const ended = await shell.holdfast('plan', '--scenario', 'nothing', '--beside', ...wrong);
    assert.equal(ended.exitCode, 2);
    for (const mistake of [/one\.yaml: .*applicaton/, /two\.yaml: .*url/, /there is no scenario nothing/])
      assert.match(ended.stderr, mistake);
  }));

const planned = async ({ holdfast }: Shell, ...words: readonly string[]): Promise<RunPlan> =>
  JSON.parse((await holdfast('plan', '--json', ...words)).stdout);

/** The kinds of writes of each scenario. */
const writesOf = ({ scenarios: all }: RunPlan) =>
  all.map(({ name, writes }) => [name, [...new Set(writes.map(({ action }) => action))]]);

test('before anything is applied a plan names the same writes as after, each with its undo, and predicts the same', (t) =>
  inShell(t, async (shell) => {
    const first = await planned(shell);
    for (const { name, writes, open } of first.scenarios) {
      assert.deepEqual([open, writes.filter(({ undo }) => undo === null)], [null, []], name);
      assert.ok(writes.length > 0, name);
    }
    await shell.holdfast('validate', '--scenario', 'single-replica', '--yes', '--out', join(shell.folder, 'run'));
    const then = await planned(shell);
    assert.deepEqual(writesOf(first), writesOf(then));
    assert.deepEqual(
      first.scenarios.map(({ prediction }) => prediction),
      then.scenarios.map(({ prediction }) => prediction),
    );
    const { newNodes, newNodesOf, ...cost } = then.cost;
    assert.deepEqual(first.cost, {
      ...cost,
      newNodes: newNodes + 2,
      newNodesOf: [{ of: 'phase 3', nodes: 2 }, ...newNodesOf],
    });
  }));

test('a plan says what is not known before the application runs, and how it will be chosen', (t) =>
  inShell(t, async (shell) => {
    const { scenarios: all } = await planned(shell);
    const of = (wanted: string) => {
      const found = all.find(({ name }) => name === wanted);
      return { undo: found?.writes.map(({ undo }) => undo), notes: found?.notes.join('\n') ?? '' };
    };
    assert.deepEqual(of('node-drain').undo, ['kubectl uncordon <node>']);
    for (const name of ['node-drain', 'instance-kill', 'disruption-budget']) {
      assert.match(
        of(name).notes,
        /<node>: chosen when the scenario begins: of pool general-purpose-arm the node with/,
      );
      assert.match(of(name).notes, /who else is on <node>: not known before it is chosen/);
    }
    assert.deepEqual(of('disruption-budget').undo?.slice(1), [
      'kubectl uncordon <other-node>',
      'kubectl annotate nodeclaim <node-claim> --overwrite karpenter.sh/nodepool-hash=<hash>',
    ]);
    assert.match(of('disruption-budget').undo?.[0] ?? '', /"value":\[\{"nodes":"10%"\}\]/);
    assert.match(of('consolidation').undo?.[0] ?? '', /"value":"1h"/);
    assert.equal(of('scale-up').undo?.at(-1), 'kubectl -n default scale deployment nginx-test --replicas=2');
    assert.match(of('scale-up').notes, /<node>: a node of pool general-purpose-arm: all that take new pods/);
    assert.match(of('dns-failure').undo?.[0] ?? '', /"Value":"<as-it-was>"/);
  }));

test('the notes on the pods are about the pods that will be applied', (t) =>
  inShell(t, async (shell) => {
    const notes = async (profile: string) =>
      (await planned(shell, '--manifests', profile, '--scenario', 'scale-up')).scenarios[0]?.notes.join('\n') ?? '';
    const hardened = /a readiness probe on each container: there is one\na preStop sleep of at least 5 s, .*: 10 s$/;
    const plain =
      /a readiness probe on each container: none on nginx\na preStop sleep of at least 5 s, .*: there is none$/;
    assert.match(await notes('hardened'), hardened);
    assert.match(await notes('plain'), plain);
    const run = ['--manifests', 'plain', '--scenario', 'single-replica', '--yes', '--out', join(shell.folder, 'run')];
    await shell.holdfast('validate', ...run);
    assert.match(await notes('plain'), plain);
    assert.match(await notes('hardened'), hardened, 'as the next run changes it');
  }));

test('a plan has every write with its undo, whom else it affects, the prediction, and the reason of each step', (t) =>
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

test('a plan quotes the server’s refusal of an eviction that a budget does not allow', (t) =>
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

test('a plan names a missing permission and exits 1', (t) =>
  inShell(t, async (shell) => {
    shell.refuses = ({ verb, resource }) => verb === 'patch' && resource === 'nodes';
    const { stdout, exitCode } = await shell.holdfast('plan', '--scenario', 'node-drain');
    assert.equal(exitCode, 1);
    assert.match(stdout, /missing patch nodes in the cluster \(node-drain, to undo\)/);
  }));
