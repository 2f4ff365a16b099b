import { fieldPath } from '@holdfast/embedded-cluster';
import type { Service } from '../../cluster/resources.ts';
import type { ManifestPlace } from '../../validation/finding.ts';
import {
  causeFields,
  causeKey,
  placesOfChecks,
  placesOfPool,
  placesOfRules,
  type Written,
  workloadCauseFields,
} from '../../validation/judge/finding-places.ts';
import { type Located, namespaceOf } from './located.ts';
import type { OwnManifests } from './read-own.ts';

/**
 * For each rule of the audit the field of the manifests to change. For a budget that does not exist yet it is the
 * selector that the budget will have.
 */
export function placesOf(own: Pick<OwnManifests, 'located' | 'application'>): Readonly<Record<string, ManifestPlace>> {
  const container = `spec.template.spec.containers[${visitedContainer(own)}]`;
  const entries = Object.entries({ ...placesOfRules, ...placesOfChecks, ...placesOfPool }).flatMap(
    ([rule, [written, field]]) => {
      const found = objectOf(own, written);
      if (found !== undefined)
        return [
          [rule, placeIn(found, field.replace('CONTAINER', container).replace('BUDGET', budgetField(found)))] as const,
        ];
      const workload = objectOf(own, 'workload');
      return written === 'budget' && workload !== undefined
        ? [[rule, placeIn(workload, 'spec.selector')] as const]
        : [];
    },
  );
  return Object.fromEntries([...entries, ...causePlaces(own)]);
}

/** Of each field that may block a scenario. */
function causePlaces({ located, application }: Own): readonly (readonly [string, ManifestPlace])[] {
  const { kind, namespace, name, workload } = application;
  const probes = workload.spec.template.spec.containers.flatMap((_, index) =>
    ['livenessProbe', 'startupProbe'].map((probe) => `spec.template.spec.containers[${index}].${probe}`),
  );
  return located.flatMap((one) => {
    const { object } = one;
    const isWorkload = object.kind === kind && object.metadata.name === name;
    const fields = isWorkload ? [...workloadCauseFields, ...probes] : (causeFields[object.kind] ?? []);
    if (object.kind !== 'NodePool' && namespaceOf(object) !== namespace) return [];
    return fields.map(
      (field) => [causeKey({ kind: object.kind, name: object.metadata.name, field }), placeIn(one, field)] as const,
    );
  });
}

const placeIn = ({ file, lineOf }: Located, field: string): ManifestPlace => ({
  file,
  line: lineOf(fieldPath(field)),
  field,
});

type Own = Pick<OwnManifests, 'located' | 'application'>;

/** A budget has one of the two. */
const budgetField = ({ object }: Located): string =>
  Object(Object(object).spec).maxUnavailable === undefined ? 'minAvailable' : 'maxUnavailable';

function objectOf({ located, application }: Own, written: Written) {
  const { kind, namespace, name, disruptionBudget, ingress, service } = application;
  const isIt: Readonly<Record<typeof written, (object: Located['object']) => boolean>> = {
    workload: (object) => object.kind === kind && object.metadata.name === name,
    budget: (object) => object.kind === 'PodDisruptionBudget' && object.metadata.name === disruptionBudget,
    ingress: (object) => object.kind === 'Ingress' && object.metadata.name === ingress,
    balancer: (object) => ingress === null && object.kind === 'Service' && object.metadata.name === service,
    // The pool of the application is the first one (ownSettings).
    pool: (object) => object.kind === 'NodePool',
    autoscaler: (object) => object.kind === 'HorizontalPodAutoscaler' && scales(object, kind, name),
  };
  if (written === 'pool') return located.find(({ object }) => isIt.pool(object));
  return located.findLast(({ object }) => namespaceOf(object) === namespace && isIt[written](object));
}

function scales(object: object, kind: string, name: string): boolean {
  const { spec } = object as { readonly spec?: { readonly scaleTargetRef?: { kind?: string; name?: string } } };
  return spec?.scaleTargetRef?.kind === kind && spec.scaleTargetRef.name === name;
}

/** The container with the port to which the Service sends; the first if none names it. */
function visitedContainer({ located, application }: Own): number {
  const { containers } = application.workload.spec.template.spec;
  const service = located.find(
    ({ object }) =>
      object.kind === 'Service' &&
      object.metadata.name === application.service &&
      namespaceOf(object) === application.namespace,
  );
  const sent =
    (service?.object as unknown as Service | undefined)?.spec.ports.map(({ port, targetPort = port }) => targetPort) ??
    [];
  const index = containers.findIndex(({ ports = [] }) =>
    ports.some(
      ({ name, containerPort }) => sent.includes(containerPort) || (name !== undefined && sent.includes(name)),
    ),
  );
  return Math.max(index, 0);
}
