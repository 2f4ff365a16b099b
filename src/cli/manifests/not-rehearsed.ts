import { type Applied, driverOf, preStopHook, storageClasses } from '@holdfast/embedded-cluster';
import type { Resource } from '../../cluster/kinds.ts';
import { hookFails } from '../../cluster/pre-stop.ts';
import type { Container } from '../../cluster/specs.ts';
import type { NotRehearsed } from '../../validation/record/front-door-rehearsed.ts';
import { scenarios } from '../../validation/scenarios/index.ts';
import { isForeignWay } from './front-door.ts';
import { isOfGateway } from './http-routes.ts';
import type { Located, ManifestObject } from './located.ts';
import { endingPods, ofTheDoor, told, waysNotRehearsed } from './ways-not-rehearsed.ts';

/** Kinds whose objects the embedded cluster stores while no controller acts on them (docs/fidelity.md). */
const withoutController: Readonly<Record<string, string>> = {
  NetworkPolicy: 'every connection is let through',
  ResourceQuota: 'nothing is counted',
  LimitRange: 'no default is set',
};

const allScenarios = [...scenarios.map(({ name }) => name), 'rollout'];

/** What of the manifests the rehearsal leaves out, or takes otherwise. */
export const notRehearsed = (located: readonly Located[], answers: readonly Applied[]): readonly NotRehearsed[] => [
  ...located.flatMap((one, index) => {
    const left = leftOut(one, answers[index]) ?? volumeLeftOut(one, located);
    return [
      ...(left === undefined ? [] : [told(one, [], left.because, left.concerns)]),
      ...startupTaintsOf(one),
      ...hooksOfNoTime(one).map(({ field, because }) => told(one, field, because, endingPods)),
    ];
  }),
  ...waysNotRehearsed(located),
];

/** Agents that are no part of a rehearsal remove them (docs/fidelity.md, `startupTaints`). */
function startupTaintsOf(one: Located): readonly NotRehearsed[] {
  const { kind, spec } = Object(one.object);
  const taints: unknown = Object(Object(spec?.template).spec).startupTaints;
  if (kind !== 'NodePool' || !Array.isArray(taints) || taints.length === 0) return [];
  const keys = taints.map(({ key }) => key).join(', ');
  const because = `: what removes the startup taint ${keys} is not rehearsed: it goes 10 s after a node is Ready`;
  return [told(one, ['spec', 'template', 'spec', 'startupTaints'], because, onNewNodes)];
}

const onNewNodes: readonly string[] = ['scale-up', 'node-drain', 'instance-kill', 'disruption-budget'];

/** As a sentence: `web.yaml:12: Ingress web: …`. */
export const notRehearsedNote = ({ at, what }: NotRehearsed): string => `${at.file}:${at.line}: ${what}.`;

/**
 * The preStop hooks of a workload whose length is not in the manifests: a request, or a program that is not `sleep`.
 */
function hooksOfNoTime(one: Located) {
  const { template } = Object(Object(one.object).spec);
  const containers: unknown = Object(Object(template).spec).containers;
  if (!Array.isArray(containers)) return [];
  return (containers as readonly Container[]).flatMap((container, index) => {
    const { name, image } = container;
    const fails = hookFails(container);
    if (!fails && preStopHook(container).isKnown) return [];
    const because = fails
      ? `: the preStop hook of container ${name} fails at once: its image, ${image}, has no shell`
      : `: how long the preStop hook of container ${name} takes is not in the manifests: it is taken to take no time`;
    return [{ field: ['spec', 'template', 'spec', 'containers', index, 'lifecycle', 'preStop'], because }];
  });
}

/** An object that stands there twice is applied twice, as kubectl does it: the later one is what is rehearsed. */
export function appliedOver(located: readonly Located[], fallbackNamespace: string): readonly string[] {
  const first = new Map<string, Located>();
  return located.flatMap((one) => {
    const { apiVersion, kind, metadata } = one.object;
    const key = JSON.stringify([apiVersion, kind, metadata.namespace ?? fallbackNamespace, metadata.name]);
    const before = first.get(key);
    first.set(key, before ?? one);
    if (before === undefined) return [];
    return [
      `${one.file}:${one.lineOf([])}: ${nameOf(one)} is applied over that of ${before.file}:${before.lineOf([])}.`,
    ];
  });
}

const nameOf = ({ object: { kind, metadata } }: Located): string => `${kind} ${metadata.name}`;

interface LeftOut {
  readonly because: string;
  readonly concerns: readonly string[];
}

function volumeLeftOut({ object }: Located, located: readonly Located[]): LeftOut | undefined {
  const because = withoutVolume(object, located);
  return because === undefined ? undefined : { because, concerns: allScenarios };
}

function leftOut({ object }: Located, answer: Applied | undefined): LeftOut | undefined {
  const { apiVersion, kind } = object;
  const without = withoutController[kind];
  if (without !== undefined)
    return { because: `: no controller acts on it in a rehearsal: ${without}`, concerns: allScenarios };
  if (answer?.outcome !== 'unknown-kind' || isOfGateway({ object }) || isForeignWay(object)) return undefined;
  if (kind === 'Canary' && apiVersion.startsWith('flagger.app/'))
    return {
      because:
        ' of Flagger is left out: Flagger sends visitors to a copy, NAME-primary, and shifts them step by step; here the workload itself is served, and a new version is a rolling update',
      concerns: ['rollout'],
    };
  const unheeded = unheededFields(object);
  if (unheeded?.length === 0) return undefined;
  if (unheeded !== undefined)
    return { because: `: ${unheeded.join(', ')} changes nothing in a rehearsal`, concerns: ofTheDoor };
  return {
    because: `: left out, because no definition of ${kind} (${apiVersion}) is there`,
    concerns: isOfAFrontDoor(apiVersion) ? ofTheDoor : [],
  };
}

/** Why no volume is made for claims of the object's; undefined where one is. */
function withoutVolume(object: ManifestObject, located: readonly Located[]): string | undefined {
  const resource = object as unknown as Resource;
  if (resource.kind === 'StorageClass')
    return driverOf(resource.provisioner) === undefined
      ? `: no driver of ${resource.provisioner} is in a rehearsal: claims of this class get only volumes of the manifests`
      : undefined;
  const known = new Set([
    ...storageClasses.map(({ metadata }) => metadata.name),
    ...located.flatMap((one) => (one.object.kind === 'StorageClass' ? [one.object.metadata.name] : [])),
  ]);
  const unknown = classesNamedBy(resource).find((name) => name !== '' && !known.has(name));
  if (unknown === undefined) return undefined;
  const names = [...known].join(', ');
  return `: there is no StorageClass ${unknown} in a rehearsal, so that its claims stay Pending: bring it in the manifests (there are ${names})`;
}

function classesNamedBy(resource: Resource): readonly string[] {
  if (resource.kind === 'PersistentVolumeClaim')
    return resource.spec.volumeName === undefined ? [resource.spec.storageClassName ?? ''] : [];
  if (resource.kind !== 'StatefulSet') return [];
  return (resource.spec.volumeClaimTemplates ?? []).map(({ spec }) => Object(spec).storageClassName ?? '');
}

/** Policies and middlewares of a front door change tries, timeouts and health checks. */
const isOfAFrontDoor = (apiVersion: string): boolean =>
  /^(gateway\.envoyproxy\.io|traefik\.(io|containo\.us)|elbv2\.k8s\.aws)\//.test(apiVersion);

/** What a rehearsal heeds of the policies of front doors (docs/front-doors.md, "Policies"). */
const heeded: Readonly<Record<string, readonly string[]>> = {
  BackendTrafficPolicy: [
    'targetRef',
    'targetRefs',
    'retry.numRetries',
    'retry.retryOn.triggers',
    'timeout.tcp.connectTimeout',
    'timeout.http.requestTimeout',
    'healthCheck.passive.consecutive5XxErrors',
    'healthCheck.passive.baseEjectionTime',
    'healthCheck.passive.maxEjectionPercent',
    'healthCheck.passive.alwaysEjectOneEndpoint',
  ],
  Middleware: ['retry.attempts'],
  ServersTransport: ['forwardingTimeouts.dialTimeout'],
};

/** The fields of a policy of a front door that change nothing in a rehearsal; undefined for any other kind. */
export function unheededFields(object: ManifestObject): readonly string[] | undefined {
  const known = heeded[object.kind];
  const isHeeded = (path: string) =>
    known?.some((one) => path === one || path.startsWith(`${one}.`) || one.startsWith(`${path}.`));
  return known && leafPaths(Object(object).spec).filter((path) => !isHeeded(path));
}

/** `retry.numRetries`: the path of each value in nested objects, and of each empty object. */
function leafPaths(value: unknown, path = ''): readonly string[] {
  const inside = typeof value === 'object' && value !== null && !Array.isArray(value) ? Object.entries(value) : [];
  if (inside.length === 0) return path === '' ? [] : [path];
  return inside.flatMap(([name, inner]) => leafPaths(inner, path === '' ? name : `${path}.${name}`));
}
