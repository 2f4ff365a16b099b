import * as z from 'zod';
import type { Manifest } from '../cluster/manifest.ts';
import { workloadKinds } from '../cluster/workload.ts';
import { dnsSchema } from '../settings/dns-settings.ts';
import { edgesInterval } from '../settings/edges-interval.ts';
import { expectedSetting } from '../settings/expected-status.ts';
import { httpUrl } from '../settings/http-url.ts';
import { loadSchema } from '../settings/load-settings.ts';
import { nodePoolSchema } from '../settings/node-pool.ts';
import { podSelector } from '../settings/pod-selector.ts';
import { probeDuration } from '../settings/probe-duration.ts';
import { probePods } from '../settings/probe-pods.ts';
import { duration } from '../settings/read-settings.ts';
import { rehearseSchema } from '../settings/rehearse-settings.ts';
import { requestOptions, withoutSecrets } from '../settings/request-options.ts';

const seconds = (text: string) => duration.prefault(text);

const monitorSchema = z.strictObject({
  interval: probeDuration.prefault('1s'),
  timeout: probeDuration.prefault('10s'),
  slow: probeDuration.prefault('1s'),
  /**
   * Between the faster probes beside those of the interval while a scenario's window is open; 0: there are none.
   * Absent: `usualEdges`.
   */
  edges: edgesInterval.exactOptional(),
  expect: expectedSetting.default(200),
  /**
   * What the first line of the page's visible text begins with (specification, section 4: a welcome line). Null: the
   * body is not checked.
   */
  body: z.string().nullable().default('Welcome to nginx!'),
  /**
   * Another URL that is always up: if it fails at the same moment, the prober has trouble and not the application. Null
   * for none.
   */
  control: httpUrl.nullable().default(null),
  /** How the URL is asked. */
  ...requestOptions,
});
const selected = (namespace: string, selector: string) => ({
  namespace: z.string().default(namespace),
  selector: podSelector.prefault(selector),
});

const ingressControllerSchema = z.strictObject({
  ...selected('ingress-nginx', 'app.kubernetes.io/component=controller'),
  service: z.string().default('ingress-nginx-controller'),
  /** Pods of the same namespace that tell its proxies what to do, where these are others. */
  controlPlane: podSelector.exactOptional(),
});

/** The names of an application's objects that it need not have of its own. */
const objectNames = {
  /** Selects the application's pods; `app=<application>` by default, as in 2.3. */
  applicationSelector: podSelector.exactOptional(),
  /** The names of the application's Service and Ingress; the application's own by default, as in 2.3. */
  service: z.string().min(1).exactOptional(),
  /** Null: visitors come through the Service, which is of type LoadBalancer. */
  ingress: z.string().min(1).nullable().exactOptional(),
  /** The HTTPRoute of the Gateway API through which visitors come, instead of an Ingress. */
  httpRoute: z.string().min(1).exactOptional(),
};

/** A further application of the run. What is left out is as in `validation`; the names of its objects are its own. */
const furtherSchema = z.strictObject({
  application: z.string().min(1),
  url: httpUrl,
  namespace: z.string().exactOptional(),
  applicationKind: z.enum(workloadKinds).default('Deployment'),
  ...objectNames,
  /** `<application>-pdb` by default. */
  disruptionBudget: z.string().nullable().exactOptional(),
  nodePool: nodePoolSchema.exactOptional(),
  ingressController: ingressControllerSchema.exactOptional(),
  dns: dnsSchema.exactOptional(),
  /** What its page has to answer, if that differs from `validation.monitor`; the interval is that of the run. */
  monitor: z
    .strictObject({
      expect: expectedSetting.exactOptional(),
      slow: probeDuration.exactOptional(),
      timeout: probeDuration.exactOptional(),
      body: z.string().nullable().exactOptional(),
      ...requestOptions,
    })
    .exactOptional(),
});

const schema = z.strictObject({
  url: httpUrl.default('http://app.example.com/'),
  namespace: z.string().default('default'),
  application: z.string().default('nginx-test'),
  /** The workload that owns its pods. */
  applicationKind: z.enum(workloadKinds).default('Deployment'),
  ...objectNames,
  /** Null: the application has no PodDisruptionBudget. */
  disruptionBudget: z.string().nullable().default('nginx-pdb'),
  /** Validated in the same run (docs/decisions/0047-several-applications-in-one-run.md). */
  applications: z.array(furtherSchema).exactOptional(),
  manifests: z.enum(['hardened', 'plain', 'none']).default('hardened'),
  nodePool: nodePoolSchema.prefault({}),
  ingressController: ingressControllerSchema.prefault({}),
  dnsAutomation: z.strictObject(selected('external-dns', 'app.kubernetes.io/name=external-dns')).prefault({}),
  autoscaler: z
    .strictObject({
      /** `none`: a cluster without Karpenter, such as one with managed node groups alone. */
      kind: z.enum(['karpenter', 'none']).default('karpenter'),
      ...selected('kube-system', 'app.kubernetes.io/name=karpenter'),
    })
    .prefault({}),
  loadBalancerDomain: z.string().default('amazonaws.com'),
  dns: dnsSchema.prefault({}),
  monitor: monitorSchema.prefault({}),
  /** Who probes besides this machine: a pod in each zone. */
  vantage: z.enum(['in-cluster']).exactOptional(),
  probes: probePods.exactOptional(),
  load: loadSchema.prefault({}),
  rehearse: rehearseSchema.exactOptional(),
  instanceKill: z.strictObject({ maximumDowntime: seconds('60s') }).prefault({}),
});

/** `validation:` of holdfast.yaml (docs/contract.md, "holdfast.yaml"). Durations are parsed to seconds. */
export const validationSchema = schema
  .refine((settings) => settings.nodePool.selector === undefined || !hasKarpenter(settings), {
    path: ['nodePool', 'selector'],
    message: 'is for nodes that no Karpenter launches: set autoscaler.kind to none, or leave it out',
  })
  .refine(({ applicationKind, manifests }) => applicationKind === 'Deployment' || manifests === 'none', {
    path: ['applicationKind'],
    message: 'is for an application that is there already: set manifests to none, or leave it out',
  })
  .refine((settings) => hasIngress(settings) || settings.manifests === 'none', {
    path: ['ingress'],
    message: 'null is for an application that is there already: set manifests to none, or leave it out',
  })
  .refine(({ httpRoute, manifests }) => httpRoute === undefined || manifests === 'none', {
    path: ['httpRoute'],
    message: 'is for an application that is there already: set manifests to none, or leave it out',
  })
  .refine(({ load: { workers = 1, concurrency } }) => workers <= concurrency, {
    path: ['load', 'workers'],
    message: 'is more than load.concurrency: each worker has a request under way',
  })
  .refine(({ load: { workers = 1, requests } }) => workers <= requests, {
    path: ['load', 'workers'],
    message: 'is more than load.requests: each worker sends one',
  })
  .refine(({ httpRoute, ingress }) => httpRoute === undefined || ingress === undefined, {
    path: ['httpRoute'],
    message: 'replaces ingress: leave one of them out',
  })
  .refine(({ vantage, monitor }) => vantage === undefined || notGivenToPods(monitor).length === 0, {
    path: ['vantage'],
    error: ({ input }) =>
      `is in-cluster, and probe pods are not given monitor.${notGivenToPods((input as Settings).monitor).join(', monitor.')}: leave that out, or probe from elsewhere with --downtime-log`,
  });

/** What may hold a secret, which would stand in the pod for everybody to read, or is a file of this machine. */
function notGivenToPods({ headers, proxy, cacert }: z.output<typeof monitorSchema>): readonly string[] {
  return Object.entries({ headers, proxy, cacert }).flatMap(([key, value]) => (value === undefined ? [] : [key]));
}

/** How the probe pods are made. */
export const probesOf = ({ probes }: Pick<Settings, 'probes'>) => probes ?? probePods.parse({});
export const probeNamespaceOf = (settings: Settings): string =>
  probesOf(settings).namespace ?? leaseNamespaceOf(settings);

export interface Settings extends z.output<typeof schema> {
  /** The manifests of `-f`, which phase 3 applies instead of the specification's; `manifests` is then `none`. */
  readonly applied?: readonly Manifest[];
  /**
   * Where the lock of the run is kept, if the application's namespace is one of the manifests, and so not there yet.
   */
  readonly leaseNamespace?: string;
}

export const leaseNamespaceOf = ({
  leaseNamespace,
  namespace,
}: Pick<Settings, 'leaseNamespace' | 'namespace'>): string => leaseNamespace ?? namespace;

/** Whether phase 3 applies the application; else it has to be there. */
export const appliesApplication = ({ applied, manifests }: Pick<Settings, 'applied' | 'manifests'>): boolean =>
  applied !== undefined || manifests !== 'none';

/** Whether an object is the application's node pool. */
export const isPoolOf = ({ nodePool }: Pick<Settings, 'nodePool'>, { kind, metadata }: Manifest['resource']): boolean =>
  kind === 'NodePool' && metadata.name === nodePool.name;

export const serviceName = ({ service, application }: Pick<Settings, 'service' | 'application'>): string =>
  service ?? application;
export const ingressName = ({ ingress, application }: Pick<Settings, 'ingress' | 'application'>): string =>
  ingress ?? application;

/** What leads visitors to the application's Service; undefined where they come through the Service itself. */
export function wayInOf(settings: Pick<Settings, 'ingress' | 'httpRoute' | 'application'>) {
  if (settings.httpRoute !== undefined) return { kind: 'HTTPRoute', name: settings.httpRoute } as const;
  return hasIngress(settings) ? ({ kind: 'Ingress', name: ingressName(settings) } as const) : undefined;
}

/**
 * Whether visitors come through an ingress controller, or a Gateway's; without one through a load balancer of the
 * application's own.
 */
export const hasIngress = ({ ingress }: Pick<Settings, 'ingress'>): boolean => ingress !== null;

/** The Service of type LoadBalancer through which visitors come. */
export function entranceOf(
  settings: Pick<Settings, 'namespace' | 'application' | 'service' | 'ingress' | 'ingressController'>,
) {
  const { namespace, ingressController } = settings;
  return hasIngress(settings)
    ? { namespace: ingressController.namespace, name: ingressController.service }
    : { namespace, name: serviceName(settings) };
}

/** Whether the application's pods can be scaled: a DaemonSet has one on each node that it selects. */
export const hasReplicas = ({ applicationKind }: Pick<Settings, 'applicationKind'>): boolean =>
  applicationKind !== 'DaemonSet';

/**
 * Where the application's workload is, for who scales it; the kind is left out where it is a Deployment, as the
 * journals of older versions have it.
 */
export const workloadOf = ({
  namespace,
  application: name,
  applicationKind: kind,
}: Pick<Settings, 'namespace' | 'application' | 'applicationKind'>) => ({
  namespace,
  name,
  ...(kind === 'StatefulSet' ? { kind } : {}),
});

/** Whether Karpenter launches the application's nodes (docs/decisions/0030-clusters-without-karpenter.md). */
export const hasKarpenter = ({ autoscaler }: Pick<Settings, 'autoscaler'>): boolean => autoscaler.kind !== 'none';

/** What is written down of the settings: no secret is in it, and no manifest, which may be one. */
export function recorded({ applied: _, ...settings }: Settings): Settings {
  const { applications } = settings;
  const further = applications?.map((one) => (one.monitor ? { ...one, monitor: withoutSecrets(one.monitor) } : one));
  return { ...settings, monitor: withoutSecrets(settings.monitor), ...(further && { applications: further }) };
}
