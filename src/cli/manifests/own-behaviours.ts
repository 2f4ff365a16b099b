import type { OwnBehaviour, OwnBehaviours } from '@holdfast/embedded-cluster';
import { nearest } from '../../settings/nearest.ts';
import type { RehearsedApplication } from '../../validation/record/application-rehearsed.ts';
import type { Settings } from '../../validation/settings.ts';
import { type Located, namespaceOf } from './located.ts';

type Workload = Pick<RehearsedApplication, 'kind' | 'namespace' | 'name'>;

const assumed: OwnBehaviour = { start: 5, stop: 1, pull: 15, request: 0.00005, sigterm: true, answers: false };

/** What manifests do not say of an application, by `rehearse.application` and `rehearse.applications`. */
export function ownBehaviours({ rehearse }: Pick<Settings, 'rehearse'>): OwnBehaviours {
  const every = rehearse?.application ?? assumed;
  const named = Object.entries(rehearse?.applications ?? {});
  return { every, byWorkload: Object.fromEntries(named.map(([name, own]) => [name, { ...every, ...own }])) };
}

/** The key of `rehearse.applications` that says something of a workload; the one with its namespace wins. */
export function ownKey({ rehearse }: Pick<Settings, 'rehearse'>, { kind, namespace, name }: Workload) {
  const keys = [`${kind}/${namespace}/${name}`, `${kind}/${name}`];
  return keys.find((key) => rehearse?.applications?.[key] !== undefined);
}

/** Kinds of which `rehearse.applications` may say something: their pods are there until somebody ends them. */
const kinds = ['Deployment', 'StatefulSet', 'DaemonSet'];

/** The keys of `rehearse.applications` that name no workload of the manifests, one sentence each. */
export function unknownWorkloads(
  { rehearse }: Pick<Settings, 'rehearse'>,
  located: readonly Located[],
): readonly string[] {
  const workloads = located.map(({ object }) => object).filter(({ kind }) => kinds.includes(kind));
  const names = workloads.map(({ kind, metadata: { name } }) => `${kind}/${name}`);
  const known = new Set([...names, ...workloads.map((one) => `${one.kind}/${namespaceOf(one)}/${one.metadata.name}`)]);
  return Object.keys(rehearse?.applications ?? {})
    .filter((key) => !known.has(key))
    .map((key) => {
      const meant = nearest(key, [...known]);
      const instead = meant === undefined ? `known are ${[...new Set(names)].join(', ')}.` : `did you mean ${meant}?`;
      return `validation.rehearse.applications.${key} is no workload of these manifests; ${instead}`;
    });
}
