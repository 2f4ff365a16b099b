import assert from 'node:assert/strict';
import { healthy } from '../../packages/embedded-cluster/src/setup/setup.ts';
import { startingCluster } from '../../packages/embedded-cluster/src/world/starting-cluster.ts';
import type { Resource } from '../../src/cluster/kinds.ts';
import type { Deployment, Pod, Service } from '../../src/cluster/resources.ts';
import type { Container, PodSpec } from '../../src/cluster/specs.ts';
import { audit } from '../../src/validation/audit/audit.ts';
import type { Audited } from '../../src/validation/audit/audited.ts';
import { manifestsAudited } from '../../src/validation/audit/manifests-audited.ts';
import { manifests } from '../../src/validation/manifests/manifests.ts';
import { validationSchema } from '../../src/validation/settings.ts';

export const settings = validationSchema.parse({});
const ingress = startingCluster(healthy).filter(({ metadata }) => metadata.namespace === 'ingress-nginx');

export function audited(resources: readonly Resource[], now?: Audited['now']): Audited {
  const [one] = manifestsAudited(resources, settings);
  assert.ok(one);
  return now === undefined ? one : { ...one, now };
}
export const pod = (name: string, node: string): Pod => ({
  apiVersion: 'v1',
  kind: 'Pod',
  metadata: { name },
  spec: { nodeName: node, containers: [] },
  status: { conditions: [{ type: 'Ready', status: 'True' }] },
});
export const apart = {
  pods: [pod('a', 'n1'), pod('b', 'n2')],
  ingressPods: [pod('c', 'n1'), pod('d', 'n2')],
};
export const hardened = [...manifests(settings), ...ingress];
export const plain = [...manifests({ ...settings, manifests: 'plain' }), ...ingress];

/** The ids of the findings that are not met. */
export function missed(one: Audited): readonly string[] {
  return audit(one)
    .findings.filter(({ severity }) => severity !== 'info')
    .map(({ id }) => id);
}
export const changed = (over: (deployment: Deployment) => Deployment): Audited =>
  audited(
    hardened.map((one) => (one.kind === 'Deployment' && one.metadata.name === 'nginx-test' ? over(one) : one)),
    apart,
  );
export const podSpec = (over: Partial<PodSpec>): Audited =>
  changed((deployment) => {
    const { template } = deployment.spec;
    return {
      ...deployment,
      spec: { ...deployment.spec, template: { ...template, spec: { ...template.spec, ...over } } },
    };
  });
export const container = (over: Partial<Container>): Audited => {
  const [first] = (hardened.find(({ kind }) => kind === 'Deployment') as Deployment).spec.template.spec.containers;
  return podSpec({ containers: [{ ...(first as Container), ...over }] });
};
export const without = (kind: string): Audited =>
  audited(
    hardened.filter((one) => one.kind !== kind || one.metadata.namespace !== 'default'),
    apart,
  );
export const controller = (over: (deployment: Deployment) => Deployment): Audited =>
  audited(
    hardened.map((one) => (one.kind === 'Deployment' && one.metadata.namespace === 'ingress-nginx' ? over(one) : one)),
    apart,
  );
export const service = (annotations: Record<string, string>): Audited =>
  audited(
    hardened.map((one) => {
      if (one.kind !== 'Service' || one.metadata.namespace !== 'ingress-nginx') return one;
      return { ...one, metadata: { ...one.metadata, annotations } } as Service;
    }),
    apart,
  );

export const withArgument = (argument: string) => (deployment: Deployment) => {
  const { template } = deployment.spec;
  const containers = template.spec.containers.map((one) => ({ ...one, args: [argument] }));
  return {
    ...deployment,
    spec: { ...deployment.spec, template: { ...template, spec: { ...template.spec, containers } } },
  };
};
export const ip = { 'service.beta.kubernetes.io/aws-load-balancer-nlb-target-type': 'ip' };
export const slowChecks = {
  'service.beta.kubernetes.io/aws-load-balancer-healthcheck-interval': '30',
  'service.beta.kubernetes.io/aws-load-balancer-healthcheck-unhealthy-threshold': '3',
};
export const budget = (spec: object, status?: object) =>
  audited(
    hardened.map(
      (one) =>
        (one.kind === 'PodDisruptionBudget' && one.metadata.name === 'nginx-pdb'
          ? { ...one, spec, ...(status && { status }) }
          : one) as Resource,
    ),
    apart,
  );
export const selector = { matchLabels: { app: 'nginx-test' } };

export const findingOf = (one: Audited, id: string) => {
  const found = audit(one).findings.find((finding) => finding.id === id);
  assert.ok(found, id);
  return found;
};
/** Whether the rule is met in each of the cases. */
export function expectMet(id: string, cases: readonly (readonly [met: boolean, one: Audited])[]): void {
  for (const [n, [met, one]] of cases.entries())
    assert.equal(!missed(one).includes(id), met, `${id}, case ${n}: ${findingOf(one, id).observed}`);
}
export const containers = (...all: readonly Partial<Container>[]): Audited =>
  podSpec({ containers: all.map((one, n) => ({ name: `c${n}`, image: 'nginx:1', ...one })) });
export const sleeping = (seconds: number): Pick<Container, 'lifecycle'> => ({
  lifecycle: { preStop: { sleep: { seconds } } },
});

/** Of the application's own Service. */
export const web = { name: 'nginx-test', port: 80 };
const taken = {
  parents: [
    {
      parentRef: { name: 'edge' },
      conditions: ['Accepted', 'ResolvedRefs'].map((type) => ({ type, status: 'True' })),
    },
  ],
};

/** Behind an HTTPRoute instead of the Ingress. */
export function routed(backendRefs: readonly object[], status: object = taken): Audited {
  const one = audited(hardened, apart);
  const [ingress] = one.application.waysIn;
  const route = {
    kind: 'HTTPRoute',
    metadata: { ...ingress?.metadata, name: 'front' },
    spec: { rules: [{ backendRefs }] },
    status,
  };
  const over = { ...settings, manifests: 'none', httpRoute: 'front' } as const;
  return { ...one, settings: over, application: { ...one.application, waysIn: [route] as never } };
}
