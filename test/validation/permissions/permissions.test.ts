import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import { route } from '../../../packages/embedded-cluster/src/api-server/route.ts';
import { servedAt } from '../../../packages/embedded-cluster/src/api-server/served.ts';
import type { HttpRequest } from '../../../src/host/host.ts';
import { apiServerUrl } from '../../../src/rehearsal/host.ts';
import { cloudPermissions, type Permission, permissions } from '../../../src/validation/permissions/permissions.ts';
import { allScenarios, scenarios } from '../../../src/validation/scenarios/index.ts';
import type { Scenario } from '../../../src/validation/scenarios/scenario.ts';
import { singleReplica } from '../../../src/validation/scenarios/single-replica.ts';
import { probesOf, type Settings, validationSchema } from '../../../src/validation/settings.ts';
import { probeProgram } from '../../support/probe-program.ts';
import { type RehearseOptions, rehearse } from '../../support/rehearse.ts';

const settings = validationSchema.parse({});

type Asked = Pick<Permission, 'group' | 'resource' | 'verb' | 'namespace'>;

const methods = { GET: 'get', HEAD: 'get', POST: 'create', PUT: 'update', PATCH: 'patch', DELETE: 'delete' } as const;

/** The RBAC attributes of a request. */
function askedBy({ method, url }: HttpRequest): Asked | undefined {
  const { origin, pathname, searchParams } = new URL(url);
  const found = origin === apiServerUrl ? route(pathname, { at: servedAt }) : undefined;
  if (found === undefined) return undefined;
  const { served, namespace, name, subresource } = found;
  const collection = searchParams.get('watch') === 'true' ? 'watch' : 'list';
  return {
    group: served.group,
    resource: subresource === undefined ? served.plural : `${served.plural}/${subresource}`,
    verb: method === 'GET' && name === undefined ? collection : methods[method],
    ...(namespace === undefined ? {} : { namespace }),
  };
}

/** A permission in the cluster covers every namespace. */
function covers(granted: Asked, asked: Asked): boolean {
  return (
    granted.group === asked.group &&
    granted.resource === asked.resource &&
    granted.verb === asked.verb &&
    (granted.namespace === undefined || granted.namespace === asked.namespace)
  );
}

const textOf = ({ group, resource, verb, namespace }: Asked): string =>
  `${verb} ${resource}${group === '' ? '' : `.${group}`} ${namespace ?? '*'}`;

/** The permissions that the requests of a run need. */
async function usedBy(
  t: Pick<TestContext, 'after'>,
  chosen: readonly Scenario[],
  over: Partial<Settings> = {},
  world: RehearseOptions['world'] = {},
) {
  const used = new Map<string, Asked>();
  const answers = (request: HttpRequest) => {
    const asked = askedBy(request);
    if (asked !== undefined && asked.resource !== 'selfsubjectaccessreviews') used.set(textOf(asked), asked);
    return true;
  };
  await rehearse(t, { scenarios: chosen, settings: over, answers, world });
  return [...used.values()];
}

/** Server-side apply of a new object needs `create` and `patch`. */
const byApply = ['nodepools', 'deployments', 'services', 'ingresses', 'poddisruptionbudgets'];
const isByApply = ({ verb, resource }: Asked): boolean => verb === 'create' && byApply.includes(resource);

test('a run needs exactly the permissions that are listed, each scenario alone and all together', async (t) => {
  for (const chosen of [scenarios, ...allScenarios.map((scenario) => [scenario])]) {
    const granted = permissions({ settings, scenarios: chosen, cleanup: false });
    const used = await usedBy(t, chosen);
    const which = chosen.map(({ name }) => name).join(', ');
    const lacking = used.filter((asked) => !granted.some((one) => covers(one, asked)));
    assert.deepEqual(lacking.map(textOf), [], which);
    const needless = granted.filter((one) => !used.some((asked) => covers(one, asked)) && !isByApply(one));
    assert.deepEqual(needless.map(textOf), [], which);
  }
});

test('the probe pods need pods and their logs in their namespace, and a run without them does not', async (t) => {
  const over = { vantage: 'in-cluster' } as const;
  const chosen = [singleReplica];
  const granted = permissions({ settings: { ...settings, ...over }, scenarios: chosen, cleanup: false });
  const used = await usedBy(t, chosen, over, { program: probeProgram() });
  assert.deepEqual(used.filter((asked) => !granted.some((one) => covers(one, asked))).map(textOf), []);
  const needless = granted.filter((one) => !used.some((asked) => covers(one, asked)) && !isByApply(one));
  assert.deepEqual(needless.map(textOf), []);
  const ofProbes = (all: readonly Permission[]) =>
    all.filter(({ purpose }) => purpose === 'the probe pods').map(textOf);
  assert.deepEqual(ofProbes(granted), [
    'get pods default',
    'delete pods default',
    'create pods default',
    'get pods/log default',
  ]);
  assert.deepEqual(ofProbes(permissions({ settings, scenarios: chosen, cleanup: false })), []);
  const elsewhere = { ...settings, ...over, probes: { ...probesOf({}), namespace: 'probes' } };
  assert.deepEqual(
    ofProbes(permissions({ settings: elsewhere, scenarios: chosen, cleanup: false })).at(-1),
    'get pods/log probes',
  );
});

test('the Job of a load and the logs of its pods need permissions only where workers are asked for', async (t) => {
  const chosen = scenarios.filter(({ name }) => name === 'load');
  const of = (over: Partial<Settings>) =>
    permissions({ settings: { ...settings, ...over }, scenarios: chosen, cleanup: false });
  const over = { load: { requests: 20, concurrency: 4, workers: 2 } };
  const plain = new Set(of({}).map(textOf));
  const added = of(over).filter((one) => !plain.has(textOf(one)));
  assert.deepEqual(
    added.map((one) => `${textOf(one)}${one.undoes ? ' (undo)' : ''}`),
    [
      'get jobs.batch default (undo)',
      'delete jobs.batch default (undo)',
      'create jobs.batch default',
      'patch pods default',
      'get pods/log default',
    ],
  );
  const used = await usedBy(t, chosen, over);
  assert.deepEqual(used.filter((asked) => !of(over).some((one) => covers(one, asked))).map(textOf), []);
  assert.deepEqual(added.filter((one) => !used.some((asked) => covers(one, asked))).map(textOf), []);
});

test('behind an HTTPRoute the route and its Gateways are read, and no Ingress', () => {
  const over = validationSchema.parse({ manifests: 'none', httpRoute: 'front' });
  const granted = permissions({ settings: over, scenarios, cleanup: false }).map(textOf);
  const read = granted.filter((one) => /ingresses|gateway/.test(one));
  assert.deepEqual(read, [
    'get httproutes.gateway.networking.k8s.io default',
    'get gateways.gateway.networking.k8s.io *',
  ]);
});

test('permissions of an undo stand first', () => {
  const all = permissions({ settings, scenarios, cleanup: true });
  const first = all.findIndex(({ undoes }) => !undoes);
  assert.ok(first > 0);
  assert.ok(all.slice(first).every(({ undoes }) => !undoes));
  assert.equal(new Set(all.map(textOf)).size, all.length, 'each stands once');
});

test('with manifests: none nothing is applied, and cleanup deletes only applied objects', () => {
  const stateful = permissions({
    settings: { ...settings, manifests: 'none', applicationKind: 'StatefulSet' },
    scenarios,
    cleanup: false,
  });
  const verbs = (resource: string) =>
    stateful.filter((one) => one.resource === resource && one.namespace === settings.namespace).map(({ verb }) => verb);
  assert.deepEqual(verbs('statefulsets'), ['patch', 'get', 'list', 'watch']);
  assert.ok(!verbs('deployments').includes('patch'));
  const none = permissions({ settings: { ...settings, manifests: 'none' }, scenarios: [], cleanup: true });
  assert.deepEqual(
    none
      .filter(({ verb }) => ['create', 'patch', 'delete', 'update'].includes(verb))
      .map(textOf)
      .toSorted(),
    [
      'create leases.coordination.k8s.io default',
      'delete leases.coordination.k8s.io default',
      'patch leases.coordination.k8s.io default',
    ],
  );
});

test('the cloud permissions are those of the scenarios that act on it', () => {
  assert.deepEqual(cloudPermissions(scenarios.filter(({ needs }) => needs === undefined)), []);
  assert.ok(cloudPermissions(scenarios).includes('ec2:TerminateInstances'));
});

test('a DaemonSet is read, and never scaled', () => {
  const daemons: Settings = { ...settings, manifests: 'none', applicationKind: 'DaemonSet' };
  const needed = permissions({ settings: daemons, scenarios, cleanup: false });
  const verbs = needed.filter(({ resource }) => resource === 'daemonsets').map(({ verb }) => verb);
  assert.deepEqual(verbs, ['get', 'list', 'watch']);
});
