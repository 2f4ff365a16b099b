import assert from 'node:assert/strict';
import fc from 'fast-check';
import { stringify } from 'yaml';
import { resultOf } from '../../src/cli/cluster/rehearsal-run.ts';
import { readOwn } from '../../src/cli/manifests/read-own.ts';
import { systemClock } from '../../src/host/clock.ts';
import { UsageError } from '../../src/host/errors.ts';
import { memoryFiles } from '../../src/host/memory-files.ts';
import { readSettings } from '../../src/settings/read-settings.ts';
import { nodePool } from '../../src/validation/manifests/manifests.ts';
import { validationSchema } from '../../src/validation/settings.ts';
import { budget, container, deployment, ingress, objects, service, strong } from './own-manifests.ts';
import { quietHost } from './quiet-host.ts';

const plain = (apiVersion: string, kind: string, name: string, rest: object = {}) => ({
  apiVersion,
  kind,
  metadata: { name },
  ...rest,
});
const labels = { 'app.kubernetes.io/name': 'db' };
const podTemplate = { metadata: { labels }, spec: { containers: [{ name: 'db', image: 'postgres:17' }] } };

/** What stands beside an application in people's folders. */
const neighbours: readonly object[] = [
  plain('v1', 'Namespace', 'shop'),
  plain('v1', 'ServiceAccount', 'shop'),
  plain('v1', 'Service', 'peers', { spec: { clusterIP: 'None', selector: { 'app.kubernetes.io/name': 'shop' } } }),
  plain('v1', 'Service', 'outside', { spec: { type: 'ExternalName', externalName: 'db.example.com' } }),
  plain('v1', 'ConfigMap', 'shop', { data: { page: '{{ if .Alerts }}' } }),
  plain('v1', 'Secret', 'shop', { stringData: { key: 'value' } }),
  plain('apps/v1', 'StatefulSet', 'db', {
    spec: { serviceName: 'db', selector: { matchLabels: labels }, template: podTemplate },
  }),
  plain('batch/v1', 'Job', 'migrate', {
    spec: { template: { spec: { ...podTemplate.spec, restartPolicy: 'Never' } } },
  }),
  plain('autoscaling/v2', 'HorizontalPodAutoscaler', 'shop', {
    spec: { maxReplicas: 5, scaleTargetRef: { apiVersion: 'apps/v1', kind: 'Deployment', name: 'shop-web' } },
  }),
  plain('monitoring.coreos.com/v1', 'ServiceMonitor', 'shop', { spec: { endpoints: [] } }),
  plain('example.com/v1', 'Nothing', 'at-all'),
  plain('apiextensions.k8s.io/v1', 'CustomResourceDefinition', 'widgets.example.com', {
    spec: {
      group: 'example.com',
      scope: 'Namespaced',
      names: { kind: 'Widget', plural: 'widgets', singular: 'widget', listKind: 'WidgetList' },
      versions: [
        {
          name: 'v1',
          served: true,
          storage: true,
          schema: {
            openAPIV3Schema: {
              type: 'object',
              properties: { spec: { type: 'object', properties: { size: { type: 'integer' } } } },
            },
          },
        },
      ],
    },
  }),
  plain('example.com/v1', 'Widget', 'one', { spec: { size: 3 } }),
  nodePool({
    nodePool: {
      name: 'own',
      role: 'web',
      nodeClass: { group: 'eks.amazonaws.com', kind: 'NodeClass', name: 'default' },
    },
  }),
  budget({ 'app.kubernetes.io/name': 'nobody' }),
  deployment('api', 'api'),
  service('api', 'api'),
  { ...ingress(), metadata: { name: 'second' } },
  plain('gateway.networking.k8s.io/v1', 'HTTPRoute', 'api', {
    spec: {
      hostnames: ['api.example.com'],
      rules: [{ matches: [{ path: { type: 'PathPrefix', value: '/' } }], backendRefs: [{ name: 'api', port: 80 }] }],
    },
  }),
];

/** The application as a StatefulSet. */
const stateful: readonly object[] = objects().map((one) =>
  one.kind === 'Deployment' ? { ...one, kind: 'StatefulSet', spec: { ...Object(one).spec, serviceName: 'shop' } } : one,
);

const values = fc.constantFrom<unknown>(
  ...[
    null,
    true,
    -1,
    0,
    7,
    1e12,
    1.5,
    '',
    'x',
    '250m',
    '10Gi',
    'A b',
    [],
    {},
    [null],
    { a: 1 },
    '\u0000',
    'é'.repeat(300),
  ],
);

interface Change {
  readonly at: number;
  readonly value: unknown;
  readonly deed: 'replace' | 'remove' | 'add';
}
const changes: fc.Arbitrary<Change> = fc.record({
  at: fc.nat(10_000),
  value: values,
  deed: fc.constantFrom<Change['deed']>('replace', 'remove', 'add'),
});

interface Member {
  readonly of: Record<string, unknown>;
  readonly key: string;
}

function membersOf(value: unknown): readonly Member[] {
  if (typeof value !== 'object' || value === null) return [];
  const of = value as Record<string, unknown>;
  return Object.keys(of).flatMap((key) => [{ of, key }, ...membersOf(of[key])]);
}

function changed(object: object, { at, value, deed }: Change): object {
  const copy = structuredClone(object);
  const members = membersOf(copy);
  const member = members[at % Math.max(1, members.length)];
  if (member === undefined) return copy;
  if (deed === 'remove') delete member.of[member.key];
  else member.of[deed === 'add' ? `${member.key}s` : member.key] = value;
  return copy;
}

/** Applications that an API server takes, and no rehearsal can run. */
const unfit: readonly (readonly object[])[] = [{ replicas: 0 }, { replicas: 100_000 }, {}].map((spec) => {
  const large = { ...container, resources: { requests: { cpu: '900', 'nvidia.com/gpu': '1' } } };
  const one = deployment('shop-web', 'shop', { containers: [large] }) as unknown as { readonly spec: object };
  return [{ ...one, spec: { ...one.spec, ...spec } }, service(), ingress()];
});

/**
 * A set of manifests as one text: an application or a part of it, neighbours, and up to three changes that may break
 * them.
 */
export const generatedSets: fc.Arbitrary<string> = fc
  .record({
    application: fc.constantFrom<readonly object[]>(strong(), objects(), stateful, objects().slice(0, 2), [], ...unfit),
    beside: fc.subarray([...neighbours]),
    broken: fc.array(fc.tuple(fc.nat(), changes), { maxLength: 3 }),
    form: fc.constantFrom('yaml', 'json', 'list'),
  })
  .map(({ application, beside, broken, form }) => {
    const all: object[] = [...application, ...beside];
    for (const [index, change] of broken) {
      const at = index % Math.max(1, all.length);
      const object = all[at];
      if (object !== undefined) all[at] = changed(object, change);
    }
    if (form === 'list') return JSON.stringify({ apiVersion: 'v1', kind: 'List', items: all });
    return all.map((one) => (form === 'json' ? JSON.stringify(one) : stringify(one))).join('\n---\n');
  });

const place = /^own\.yaml:\d+: /;
const noPlace = /^(there is no|visitors reach|--application)/;

/**
 * What `rehearse -f` answers: every mistake is one sentence with its place, or a rehearsal of each application ends
 * with a verdict. Anything else is an exception.
 */
export async function answerOf(text: string, rehearses: boolean): Promise<'refused' | 'rehearsed' | 'taken'> {
  const files = memoryFiles();
  await files.replace('own.yaml', text);
  const host = { ...quietHost(), files, clock: systemClock() };
  try {
    const own = await readOwn({ host } as unknown as Parameters<typeof readOwn>[0], {
      paths: ['own.yaml'],
      rehearsed: true,
    });
    if (!rehearses) return 'taken';
    for (const one of [own, ...own.others]) {
      const read = readSettings(validationSchema, one.assumedSettings, 'validation');
      assert.ok('settings' in read, JSON.stringify(read));
      const order = {
        seed: 1,
        scenario: ['single-replica'],
        defect: [],
        settings: read.settings,
        own: one,
        version: '0',
      };
      const result = await resultOf({ host } as unknown as Parameters<typeof resultOf>[0], order);
      assert.ok(result !== undefined && result.run.finishedAt !== null, 'the rehearsal has no end');
    }
    return 'rehearsed';
  } catch (error) {
    if (!(error instanceof UsageError)) throw error;
    for (const mistake of error.mistakes) {
      assert.match(mistake, new RegExp(`${place.source}|${noPlace.source}`));
      assert.ok(!/undefined|\[object|NaN|\n/.test(mistake), mistake);
    }
    return 'refused';
  }
}
