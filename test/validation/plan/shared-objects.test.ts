import assert from 'node:assert/strict';
import { test } from 'node:test';
import { ApiError, type Cluster } from '../../../src/cluster/cluster.ts';
import type { Kind } from '../../../src/cluster/kinds.ts';
import { sharedObjects } from '../../../src/validation/plan/shared-objects.ts';
import { passesOf, together } from '../../../src/validation/plan/together.ts';
import { ingressControllerFailure } from '../../../src/validation/scenarios/ingress-controller-failure.ts';
import { nodeDrain } from '../../../src/validation/scenarios/node-drain.ts';
import { scaleUp } from '../../../src/validation/scenarios/scale-up.ts';
import { type Settings, validationSchema } from '../../../src/validation/settings.ts';

/** An application that has everything for itself, but for its namespace. */
const app = (application: string, over: object = {}): Settings =>
  validationSchema.parse({
    application,
    namespace: 'web',
    url: `http://${application}.example.com/`,
    manifests: 'none',
    nodePool: { name: `pool-${application}` },
    ingressController: { namespace: `ingress-${application}` },
    dnsAutomation: { namespace: `dns-${application}` },
    disruptionBudget: null,
    ...over,
  });

const labelled = (name: string) => ({ metadata: { name, namespace: 'web', labels: { app: name, tier: 'web' } } });
const budget = (name: string, matchLabels: object) => ({
  metadata: { name, namespace: 'web' },
  spec: { minAvailable: 1, selector: { matchLabels } },
});

/** A cluster whose namespace `web` holds these objects. */
function clusterWith(objects: Partial<Record<Kind, readonly object[] | Error>>): Cluster {
  const list = async (
    kind: Kind,
    { namespace, labelSelector }: { namespace?: string; labelSelector?: string } = {},
  ) => {
    const found = namespace === 'web' ? (objects[kind] ?? []) : [];
    if (found instanceof Error) throw found;
    if (kind !== 'Pod') return found;
    return (found as ReturnType<typeof labelled>[]).filter(
      ({ metadata }) => `app=${metadata.labels.app}` === labelSelector,
    );
  };
  return { list } as unknown as Cluster;
}

const sharedBy = async (cluster: Cluster, ...all: readonly Settings[]) =>
  together(all, await sharedObjects(cluster, all)).pairs.map(({ shares }) =>
    shares.map(({ what, scenarios }) => `${what}: ${scenarios.join(', ')}`),
  );

const shop = app('shop');
const forum = app('forum');
const pods = [labelled('shop'), labelled('forum')];

test('a budget that counts the pods of two applications is shared, and one that counts those of one is not', async () => {
  const budgets = [budget('both', { tier: 'web' }), budget('shop', { app: 'shop' })];
  assert.deepEqual(await sharedBy(clusterWith({ Pod: pods, PodDisruptionBudget: budgets }), shop, forum), [
    ['the budget web/both, which counts the pods of both: node-drain, disruption-budget, consolidation'],
  ]);
  const elsewhere = app('forum', { namespace: 'office' });
  assert.deepEqual(await sharedBy(clusterWith({ Pod: pods, PodDisruptionBudget: budgets }), shop, elsewhere), [[]]);
});

test('a quota of their namespace is shared by all that scale there, and it is left out for a caller who may not read quotas', async () => {
  const quota = { metadata: { name: 'small', namespace: 'web' }, spec: { hard: { pods: '6' } } };
  const said = ['the quota web/small, which five replicas of each may use up: scale-up'];
  const wiki = app('wiki');
  assert.deepEqual(await sharedBy(clusterWith({ Pod: pods, ResourceQuota: [quota] }), shop, forum, wiki), [
    said,
    said,
    said,
  ]);
  const forbidden = new ApiError({
    status: 403,
    tried: 'GET',
    on: 'resourcequotas',
    reason: 'Forbidden',
    message: 'no',
  });
  assert.deepEqual(await sharedBy(clusterWith({ Pod: pods, ResourceQuota: forbidden }), shop, forum), [[]]);
});

test('what is shared is disturbed in one group, and what is not for one application after the other', () => {
  const nodes = (selector: string) => ({ autoscaler: { kind: 'none' }, nodePool: { selector } });
  const all = [
    app('shop', { ...nodes('team=web,disk=ssd'), ingressController: { namespace: 'edge' } }),
    app('forum', { ...nodes('disk=ssd,team=web'), ingressController: { namespace: 'edge' } }),
    app('wiki', { ...nodes('team=office'), ingressController: { namespace: 'office' } }),
  ];
  const grouped = [['web/shop', 'web/forum'], ['web/wiki']];
  assert.deepEqual(passesOf(all, [scaleUp, nodeDrain, ingressControllerFailure]), [
    { scenario: 'scale-up', groups: [['web/shop'], ['web/forum'], ['web/wiki']] },
    { scenario: 'node-drain', groups: grouped },
    { scenario: 'ingress-controller-failure', groups: grouped },
  ]);
});
