import { type Applied, fieldPath, tryObjects } from '@holdfast/embedded-cluster';
import type { NodePool } from '../../cluster/autoscaler.ts';
import type { ObjectPlace, Resource } from '../../cluster/kinds.ts';
import type { Ingress, Service } from '../../cluster/resources.ts';
import { serverFields, withoutServerFields } from '../../cluster/server-fields.ts';
import { UsageError } from '../../host/errors.ts';
import { nodesAreAssumed } from '../../validation/manifests/assumed-nodes.ts';
import { annotatedHost, hostnameAnnotation, type OwnApplication } from '../../validation/manifests/own-applications.ts';
import { ownSettings, poolOf } from '../../validation/manifests/own-settings.ts';
import type { NotRehearsed } from '../../validation/record/front-door-rehearsed.ts';
import type { Context } from '../command/context.ts';
import { chooseApplications } from './choose-application.ts';
import { ingressesOfForeignWays } from './foreign-ways.ts';
import { declaredDoor, type FrontDoorName } from './front-door.ts';
import { ingressesOfRoutes } from './http-routes.ts';
import { fallbackNamespace, fieldText, type Located, type ManifestObject, namespaceOf } from './located.ts';
import { missingNodeClasses, missingReferences } from './missing-references.ts';
import { appliedOver, notRehearsed, notRehearsedNote } from './not-rehearsed.ts';
import { notRunnable } from './not-runnable.ts';
import { readLocated } from './read-located.ts';
import { withStandIns } from './stand-ins.ts';
import { wrongType } from './wrong-type.ts';

/** The manifests of `-f`, and the application in them that is rehearsed or validated. */
export interface OwnManifests {
  /** Includes the Ingresses that replace routes. */
  readonly located: readonly Located[];
  /** As they are written. */
  readonly written: readonly WrittenObject[];
  readonly application: OwnApplication;
  /** The further applications of the same manifests, each as one of its own. */
  readonly others: readonly OwnManifests[];
  /** What `holdfast.yaml` need not say, because the manifests do. */
  readonly assumedSettings: Record<string, unknown>;
  readonly pool: NodePool | undefined;
  /** What is not as on a cluster of one's own, one sentence each. */
  readonly notes: readonly string[];
  /** What of them a rehearsal leaves out or takes otherwise; of the first application for all. */
  readonly notRehearsed: readonly NotRehearsed[];
  /** What leads visitors to the application. */
  readonly frontDoor: FrontDoorName;
}

/** An object of the manifests; with its namespace where its kind is known, and has one. */
export interface WrittenObject extends Located {
  /** Absent of a kind that is neither Kubernetes' own nor defined by the manifests. */
  readonly place?: ObjectPlace;
}

/** What is read, and for what. */
export interface Reading {
  readonly paths: readonly string[];
  /** `KIND/NAME`: names the application where there are several. */
  readonly chosen?: string | undefined;
  /** Of the objects that name none. */
  readonly namespace?: string | undefined;
  /** Whether the embedded cluster has to be able to run them. */
  readonly rehearsed: boolean;
}

/**
 * The objects of `-f`, each as an API server takes it. Everything that is wrong is one `UsageError`, `FILE:LINE: FIELD:
 * sentence` each.
 */
export async function readOwn({ host }: Pick<Context, 'host'>, reading: Reading): Promise<OwnManifests> {
  const { paths, chosen, namespace = fallbackNamespace } = reading;
  const { located, written, answers, note, stood } = await readTried(host, paths, namespace, reading.rehearsed);
  const known = located.filter(({ place }) => place !== undefined);
  const objects = answers.flatMap((answer) => ('object' in answer ? [answer.object as unknown as Resource] : []));
  const {
    applications: [first, ...further],
    assumed: ways,
  } = chooseApplications(known, objects, chosen);
  const unfit = reading.rehearsed ? notRunnable(known, objects, [first, ...further]) : [];
  if (unfit.length > 0) throw new UsageError(unfit);
  const pools = objects.filter((one) => one.kind === 'NodePool');
  const of = (application: OwnApplication) => {
    const pool = poolOf(application, pools);
    const assumedSettings = ownSettings(application, pool);
    const all = { located: [...known, ...ways], written, notRehearsed: left };
    const frontDoor = declaredDoor(application, located);
    return { ...all, application, others: [], assumedSettings, pool, frontDoor };
  };
  const left = reading.rehearsed ? [...stood, ...notRehearsed(located, answers)] : [];
  const notes = [
    ...note,
    ...[first, ...further].flatMap(({ assumed }) => assumed),
    ...(reading.rehearsed ? [first, ...further].flatMap(nodesAreAssumed) : []),
    ...appliedOver(located, namespace),
    ...missingReferences(located),
    ...(reading.rehearsed ? missingNodeClasses(located) : []),
    ...left.map(notRehearsedNote),
  ];
  return {
    ...of(first),
    others: further.map((application) => ({ ...of(application), notes: [] })),
    notes: [...new Set(notes)],
  };
}

/** The objects, then the Ingresses that replace routes, each with what an API server says about it. */
async function readTried(host: Context['host'], paths: readonly string[], namespace: string, isRehearsed: boolean) {
  const { found: read, mistakes: unreadable } = await readLocated(host, paths);
  const own = read.map((one) => ({ ...one, object: withoutServerFields(one.object) }));
  const { objects: found, left: stood } = isRehearsed ? withStandIns(own) : { objects: own, left: [] };
  const { ingresses, mistakes: unrouted } = ingressesOfRoutes(found);
  const all = [...found, ...ingresses, ...ingressesOfForeignWays(found)];
  const answers = await tryObjects(
    host,
    all.map(({ object }) => object),
    namespace,
  );
  const wrong = [
    ...unreadable,
    ...unrouted,
    ...all.flatMap((one, index) => [...removedVersion(one), ...refusalsOf(one, answers[index])]),
  ];
  if (wrong.length > 0) throw new UsageError(wrong);
  const located = all.map((one, index) => inPlace(one, answers[index]));
  return { located, written: located.slice(0, found.length), answers, note: exportsNote(read), stood };
}

/** Said once for all of them. */
function exportsNote(read: readonly Located[]): readonly string[] {
  const fields = read.map(({ object }) => serverFields(object)).filter((names) => names.length > 0);
  if (fields.length === 0) return [];
  const names = [...new Set(fields.flat())].join(', ');
  return [`${fields.length} of the objects are exports of a cluster: what it wrote is left out (${names}).`];
}

function inPlace(one: Located, answer: Applied | undefined): WrittenObject {
  if (answer === undefined || !('object' in answer)) return one;
  const { apiVersion, kind } = one.object;
  const { plural, namespaced } = answer.place;
  const { namespace } = (answer.object as unknown as ManifestObject).metadata;
  const metadata = { ...one.object.metadata, ...(namespaced && namespace !== undefined ? { namespace } : {}) };
  return { ...one, object: { ...one.object, metadata }, place: { apiVersion, kind, plural, namespaced } };
}

function refusalsOf({ file, object, lineOf }: Located, answer: Applied | undefined): readonly string[] {
  if (answer?.outcome !== 'refused') return [];
  return answer.causes.map(({ field, message, wanted }) => {
    const wrong = wanted === undefined ? undefined : wrongType(object, fieldPath(field), wanted);
    const { path, sentence } = wrong ?? { path: fieldPath(field), sentence: message };
    const named = path.length === 0 ? '' : `${wrong === undefined ? field : fieldText(path)}: `;
    return `${file}:${lineOf(path)}: ${named}${sentence.replace(/\.?$/, '.')}`;
  });
}

/**
 * The objects as the embedded cluster serves them: its one ingress controller serves the Ingress of the application and
 * of those of the same run, and external-dns names their hosts.
 */
export function servedObjects(own: OwnManifests, beside: readonly OwnManifests[] = []): readonly Located['object'][] {
  const objects = own.located.map(({ object }) => object);
  return [own, ...beside].reduce((served, { application }) => servedFor(application, served), objects);
}

function servedFor(application: OwnApplication, objects: readonly Located['object'][]): Located['object'][] {
  return objects.map((object) => {
    const [kind, name] =
      application.ingress === null ? ['Service', application.service] : ['Ingress', application.ingress];
    if (object.kind !== kind || object.metadata.name !== name || namespaceOf(object) !== application.namespace)
      return object;
    const way = object as unknown as Ingress | Service;
    const named = annotatedHost(way) === undefined ? { [hostnameAnnotation]: application.host } : {};
    const metadata = { ...way.metadata, annotations: { ...named, ...way.metadata.annotations } };
    return way.kind === 'Ingress'
      ? { ...way, metadata, spec: { ...way.spec, ingressClassName: 'nginx' } }
      : { ...way, metadata };
  });
}

/**
 * Versions that Kubernetes serves no longer, since when, and what it serves in their place (Kubernetes, Deprecated API
 * Migration Guide).
 */
const removed: Readonly<Record<string, readonly [since: string, instead: string]>> = {
  'extensions/v1beta1 Ingress': ['1.22', 'networking.k8s.io/v1'],
  'networking.k8s.io/v1beta1 Ingress': ['1.22', 'networking.k8s.io/v1'],
  'networking.k8s.io/v1beta1 IngressClass': ['1.22', 'networking.k8s.io/v1'],
  'extensions/v1beta1 NetworkPolicy': ['1.16', 'networking.k8s.io/v1'],
  ...Object.fromEntries(
    ['extensions/v1beta1', 'apps/v1beta1', 'apps/v1beta2'].flatMap((version) =>
      ['Deployment', 'StatefulSet', 'DaemonSet', 'ReplicaSet'].map((kind) => [
        `${version} ${kind}`,
        ['1.16', 'apps/v1'] as const,
      ]),
    ),
  ),
  'autoscaling/v2beta1 HorizontalPodAutoscaler': ['1.25', 'autoscaling/v2'],
  'autoscaling/v2beta2 HorizontalPodAutoscaler': ['1.26', 'autoscaling/v2'],
  'policy/v1beta1 PodDisruptionBudget': ['1.25', 'policy/v1'],
  'batch/v1beta1 CronJob': ['1.25', 'batch/v1'],
  'rbac.authorization.k8s.io/v1beta1 Role': ['1.22', 'rbac.authorization.k8s.io/v1'],
  'rbac.authorization.k8s.io/v1beta1 RoleBinding': ['1.22', 'rbac.authorization.k8s.io/v1'],
  'rbac.authorization.k8s.io/v1beta1 ClusterRole': ['1.22', 'rbac.authorization.k8s.io/v1'],
  'rbac.authorization.k8s.io/v1beta1 ClusterRoleBinding': ['1.22', 'rbac.authorization.k8s.io/v1'],
  'apiextensions.k8s.io/v1beta1 CustomResourceDefinition': ['1.22', 'apiextensions.k8s.io/v1'],
};

/** Why an object of a version that is gone cannot be applied, as a sentence with its place. */
function removedVersion({ file, lineOf, object: { apiVersion, kind } }: Located): readonly string[] {
  const found = removed[`${apiVersion} ${kind}`];
  if (found === undefined) return [];
  const [since, instead] = found;
  const place = `${file}:${lineOf(['apiVersion'])}: apiVersion`;
  return [`${place}: Kubernetes has had no ${kind} of ${apiVersion} since ${since}: write it for ${instead}.`];
}
