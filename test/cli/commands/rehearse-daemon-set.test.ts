import assert from 'node:assert/strict';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import type { Resource } from '../../../src/cluster/kinds.ts';
import type { Deployment } from '../../../src/cluster/resources.ts';
import { nodePool } from '../../../src/validation/manifests/manifests.ts';
import { validationSchema } from '../../../src/validation/settings.ts';
import { inShell } from '../../support/cluster-commands.ts';
import { holdfast } from '../../support/command-line.ts';
import { strong } from '../../support/own-manifests.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';

/** The careful team's manifests, with a DaemonSet instead of the Deployment. */
function daemons(): readonly Resource[] {
  const [web, ...rest] = strong();
  const { selector, template } = (web as Deployment).spec;
  const { topologySpreadConstraints: _, ...spec } = template.spec;
  const set = { ...web, kind: 'DaemonSet', spec: { selector, template: { ...template, spec } } };
  return [set as unknown as Resource, ...rest];
}

interface Row {
  readonly name: string;
  readonly verdict: string;
  readonly notApplicable?: string;
}

function folderWith(t: TestContext, all: readonly Resource[]): string {
  const folder = temporaryFolder(t);
  writeFileSync(join(folder, 'web.yaml'), all.map((one) => JSON.stringify(one)).join('\n---\n'));
  return folder;
}

const scaling = ['scale-up', 'scale-down', 'single-replica', 'consolidation'];

test('a DaemonSet is rehearsed on nodes of the pool; what scales it has nothing to disturb, and the run is whole', (t) => {
  const folder = folderWith(t, daemons());
  const ran = holdfast(folder, ['rehearse', '-f', 'web.yaml', '--no-assumptions', '--out', 'run']);
  assert.equal(ran.status, 0, ran.stdout + ran.stderr);
  const words = (ran.stdout + ran.stderr).replaceAll(/\s+/g, ' ');
  assert.match(
    words,
    /There is no NodePool among the manifests: general-purpose-arm is assumed \(kubernetes\.io\/arch In arm64/,
  );
  assert.match(
    words,
    /DaemonSet shop-web makes no nodes: another workload with a pod on each of 2 nodes .* is assumed/,
  );
  assert.match(
    words,
    /PASS: five criteria met, every scenario as expected; nothing to disturb for scale-up, scale-down/,
  );
  assert.match(
    words,
    /1 not tested No downtime during scaling\. nothing to test it: a DaemonSet has a pod on each node/,
  );
  const report = JSON.parse(readFileSync(join(folder, 'run', 'report.json'), 'utf8'));
  const rows: readonly Row[] = report.scenarios;
  const left = rows.filter(({ verdict }) => verdict === 'not-tested');
  assert.deepEqual(
    left.map(({ name }) => name),
    scaling,
  );
  assert.ok(left.every(({ notApplicable }) => notApplicable !== undefined));
  const kill = report.scenarios.find(({ name }: Row) => name === 'instance-kill');
  assert.ok(kill.podReadySeconds > 60, 'a pod came on the node that replaced the killed one');
  const drain = report.scenarios.find(({ name }: Row) => name === 'node-drain');
  assert.equal(drain.podReadySeconds, null, 'its pods stayed on the drained node');
  assert.equal(drain.downtime.bad, 0);
});

test('a scenario that scales a DaemonSet is refused where it is named', (t) => {
  const folder = folderWith(t, daemons());
  const ran = holdfast(folder, ['rehearse', '-f', 'web.yaml', '--scenario', 'scale-up', '--out', 'run']);
  assert.equal(ran.status, 2);
  assert.match(ran.stderr, /^holdfast: scenario scale-up needs replicas to scale, and a DaemonSet has none\.$/m);
});

test('the plan for a DaemonSet on a real cluster scales nothing', (t) =>
  inShell(t, async (shell) => {
    await shell.cluster.create(nodePool(validationSchema.parse({})));
    await shell.host.clock.sleep(30);
    const file = join(shell.folder, 'shop.yaml');
    writeFileSync(
      file,
      daemons()
        .map((one) => JSON.stringify(one))
        .join('\n---\n'),
    );
    const { stdout } = await shell.holdfast('plan', '-f', file, '--json');
    const plan = JSON.parse(stdout);
    const names = plan.scenarios.map(({ name }: Row) => name);
    assert.ok(names.length > 0 && !scaling.some((name) => names.includes(name)), names.join());
    const actions = plan.scenarios.flatMap(({ writes }: { writes: readonly { action: string }[] }) =>
      writes.map(({ action }) => action),
    );
    assert.ok(!actions.includes('scale'), actions.join());
  }));
