import type { RehearsedApplication } from '../../validation/record/application-rehearsed.ts';
import { placesOf } from './places.ts';
import type { OwnManifests } from './read-own.ts';

/**
 * What the journal records about the manifests of `-f`: the applications, and the field that each rule of the audit
 * refers to.
 */
export function manifestsRehearsed(own: OwnManifests) {
  return {
    type: 'manifests-rehearsed' as const,
    applications: applicationsOf(own),
    places: placesOf(own),
    notRehearsed: own.notRehearsed,
  };
}

/** The same of a run of all its applications: one for each. */
export const manifestsOfEach = (own: OwnManifests) =>
  [own, ...own.others].map((one) => manifestsRehearsed({ ...one, others: [] }));

/** The applications of the run, its first one first. */
export const applicationsOf = (own: OwnManifests): readonly RehearsedApplication[] =>
  [own, ...own.others].map(rehearsedApplication);

export function rehearsedApplication({ application }: Pick<OwnManifests, 'application'>): RehearsedApplication {
  const { kind, namespace, name, host, path } = application;
  return { kind, namespace, name, host, path };
}
