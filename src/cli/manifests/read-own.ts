import type { NodePool } from '../../cluster/autoscaler.ts';
import type { Resource } from '../../cluster/kinds.ts';
import type { Ingress, Service } from '../../cluster/resources.ts';
import { UsageError } from '../../host/errors.ts';
import { tryObjects } from '../../rehearsal/try-objects.ts';
import type { Applied } from '../../rehearsal/world/apply-objects.ts';
import { fieldPath } from '../../rehearsal/world/written-fields.ts';
import { annotatedHost, hostnameAnnotation, type OwnApplication } from '../../validation/manifests/own-applications.ts';
import { ownSettings } from '../../validation/manifests/own-settings.ts';
import type { Context } from '../command/context.ts';
import { chooseApplications } from './choose-application.ts';
import { ingressesOfRoutes } from './http-routes.ts';
import { fallbackNamespace, fieldText, type Located, namespaceOf } from './located.ts';
import { missingReferences } from './missing-references.ts';
import { appliedOver, notRehearsed } from './not-rehearsed.ts';
import { notRunnable } from './not-runnable.ts';
import { readLocated } from './read-located.ts';
import { removedVersion } from './removed-versions.ts';
import { wrongType } from './wrong-type.ts';

/** Somebody's own manifests, and the application in them that is rehearsed. */
export interface OwnManifests {
  readonly located: readonly Located[];
  readonly application: OwnApplication;
  /** The further applications of the same manifests, each as one of its own. */
  readonly others: readonly OwnManifests[];
  /** What `holdfast.yaml` need not say, because the manifests do. */
  readonly assumedSettings: Record<string, unknown>;
  readonly pool: NodePool | undefined;
  /** What is not as on a cluster of one's own, one sentence each. */
  readonly notes: readonly string[];
}

/**
 * The objects of `-f`, each as an API server takes it. `chosen` (`KIND/NAME`) names the application where there are several. Everything
 * that is wrong is one `UsageError`, `FILE:LINE: FIELD: sentence` each.
 */
export async function readOwn(
  { host }: Pick<Context, 'host'>,
  paths: readonly string[],
  chosen: string | undefined,
): Promise<OwnManifests> {
  const { found, mistakes: unreadable } = await readLocated(host, paths);
  const { ingresses, mistakes: unrouted } = ingressesOfRoutes(found);
  const located = [...found, ...ingresses];
  const answers = await tryObjects(
    host,
    located.map(({ object }) => object),
    fallbackNamespace,
  );
  const wrong = [
    ...unreadable,
    ...unrouted,
    ...located.flatMap((one, index) => [...removedVersion(one), ...refusalsOf(one, answers[index])]),
  ];
  if (wrong.length > 0) throw new UsageError(wrong);
  const known = located.filter((_, index) => answers[index]?.outcome !== 'unknown-kind');
  const objects = answers.flatMap((answer) => ('object' in answer ? [answer.object as unknown as Resource] : []));
  const {
    applications: [first, ...further],
    assumed: ways,
  } = chooseApplications(known, objects, chosen);
  const unfit = notRunnable(known, objects, [first, ...further]);
  if (unfit.length > 0) throw new UsageError(unfit);
  const pool = objects.find((one) => one.kind === 'NodePool');
  const of = (application: OwnApplication) => ({
    located: [...known, ...ways],
    application,
    others: [],
    assumedSettings: ownSettings(application, pool),
    pool,
  });
  const notes = [first, ...further].flatMap(({ assumed }) => assumed);
  return {
    ...of(first),
    others: further.map((application) => ({ ...of(application), notes: [] })),
    notes: [
      ...new Set([
        ...notes,
        ...appliedOver(located, fallbackNamespace),
        ...missingReferences(located),
        ...notRehearsed(located, answers),
      ]),
    ],
  };
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

/** The objects as the embedded cluster serves them: its one ingress controller serves the application's Ingress, and external-dns names the host. */
export function servedObjects({ located, application }: OwnManifests): readonly Located['object'][] {
  return located.map(({ object }) => {
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
