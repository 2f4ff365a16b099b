import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { surroundingsOf } from '../../../src/cli/settings/surroundings-of.ts';
import { validationSchema } from '../../../src/validation/settings.ts';
import { inShell, type Shell } from '../../support/cluster-commands.ts';

const group = 'eks.amazonaws.com/nodegroup=web';
const settings = validationSchema.parse({ autoscaler: { kind: 'none' }, nodePool: { selector: group } });
const written = `validation: { autoscaler: { kind: none }, nodePool: { selector: ${group} } }\n`;

const without = (t: Parameters<typeof inShell>[0], main: (shell: Shell, config: readonly string[]) => Promise<void>) =>
  inShell(
    t,
    async (shell) => {
      const file = join(shell.folder, 'holdfast.yaml');
      writeFileSync(file, written);
      await main(shell, ['--config', file]);
    },
    surroundingsOf(settings),
  );

test('without Karpenter the scenarios that need none are made, on a cluster that knows nothing of it', (t) =>
  without(t, async (shell, config) => {
    const asked: string[] = [];
    shell.intercept = ({ method, url }) => {
      if (/\/apis\/karpenter/.test(url)) asked.push(`${method} ${url}`);
      return undefined;
    };
    const run = join(shell.folder, 'run');
    const ended = await shell.holdfast('validate', ...config, '--yes', '--out', run);
    assert.equal(ended.exitCode, 0, ended.stdout + ended.stderr);
    assert.match(ended.stdout, /PASS \(partial\)/);
    assert.match(ended.stdout, /Node drain +0\.0 s/);
    assert.match(ended.stdout, /Instance kill +not tested/);
    assert.doesNotMatch(ended.stdout + ended.stderr, /node ready|NodePool|new ARM node/);
    assert.deepEqual(asked, []);
    assert.deepEqual(await shell.cluster.list('NodePool'), []);
    const cordoned = (await shell.cluster.list('Node')).filter(({ spec }) => spec?.unschedulable === true);
    assert.deepEqual(cordoned, []);
  }));

test('with Karpenter in the settings a cluster without it stops the run, and says which objects are not there', (t) =>
  without(t, async (shell) => {
    const ended = await shell.holdfast('precheck');
    assert.equal(ended.exitCode, 3);
    assert.match(ended.stdout, /app\.kubernetes\.io\/name=karpenter in namespace kube-system/);
    assert.match(ended.stdout, /validation\.autoscaler\.kind: none/);
  }));

test('a scenario that needs Karpenter is refused where it is named, and plan and rbac have nothing of it', (t) =>
  without(t, async (shell, config) => {
    const refused = await shell.holdfast('plan', ...config, '--scenario', 'instance-kill', 'consolidation');
    assert.equal(refused.exitCode, 2);
    assert.match(refused.stderr, /scenario instance-kill needs Karpenter, and validation\.autoscaler\.kind is none/);
    assert.match(refused.stderr, /scenario consolidation needs Karpenter/);
    const plan = await shell.holdfast('plan', ...config);
    assert.equal(plan.exitCode, 0, plan.stderr);
    assert.match(
      plan.stdout.replace(/\s+/g, ' '),
      /of the nodes with eks\.amazonaws\.com\/nodegroup=web the node with most/,
    );
    assert.doesNotMatch(plan.stdout, /NodePool|start at most/);
    const roles = await shell.holdfast('rbac', ...config);
    assert.doesNotMatch(roles.stdout, /karpenter/);
    assert.match(roles.stdout, /pods\/eviction/);
  }));

test('a selector of nodes is for clusters without Karpenter', () => {
  const both = validationSchema.safeParse({ nodePool: { selector: group } });
  assert.match(both.error?.issues[0]?.message ?? '', /set autoscaler\.kind to none/);
});
