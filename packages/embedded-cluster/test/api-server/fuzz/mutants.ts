import { manifests } from '../../../../../src/validation/manifests/manifests.ts';
import { validationSchema } from '../../../../../src/validation/settings.ts';
import { kindPlaces, type Resource } from '../../../src/kubernetes/kinds.ts';
import type { Exchange } from '../differential/exchanges.ts';

/** One of our manifests with one field removed or of another type, and the requests with which kubectl applies it. */
export interface Mutant {
  /** Such as `Deployment .spec.replicas removed`. */
  readonly what: string;
  readonly requests: readonly Omit<Exchange, 'answer' | 'group'>[];
}

type Json = { readonly [field: string]: unknown };
type Steps = readonly (string | number)[];

/** Every mutant of every manifest that a validation applies with the default settings. */
export function mutants(): readonly Mutant[] {
  return manifests(validationSchema.parse({})).flatMap((manifest) =>
    pathsIn(manifest).flatMap((steps) => mutantsAt(manifest, steps)),
  );
}

function pathsIn(value: unknown, steps: Steps = []): readonly Steps[] {
  if (typeof value !== 'object' || value === null) return [];
  const keys: Steps = Array.isArray(value) ? [...value.keys()] : Object.keys(value);
  return keys.flatMap((key) => {
    const here = [...steps, key];
    return [here, ...pathsIn((value as Json)[key], here)];
  });
}

/** What stands in for a value: one of each other type, and another one of its own. */
function standIns(value: unknown): readonly unknown[] {
  const all = ['x y', -1, true, null, {}, []];
  return all.filter(
    (one) => typeof one !== typeof value || typeof one !== 'object' || Array.isArray(one) !== Array.isArray(value),
  );
}

function mutantsAt(manifest: Resource, steps: Steps): readonly Mutant[] {
  const value = steps.reduce<unknown>((at, key) => (at as Json)[key], manifest);
  const name = `${manifest.kind} ${steps.map((key) => `.${key}`).join('')}`;
  return [undefined, ...standIns(value)].map((other) => ({
    what: `${name} ${other === undefined ? 'removed' : JSON.stringify(other)}`,
    requests: requestsOf(manifest, replaced(manifest, steps, other)),
  }));
}

function replaced(value: unknown, [key, ...more]: Steps, other: unknown): unknown {
  if (key === undefined) return other;
  if (Array.isArray(value)) {
    const items = value.map((item, index) => (index === key ? replaced(item, more, other) : item));
    return items.filter((item) => item !== undefined);
  }
  return { ...(value as Json), [key]: replaced((value as Json)[key], more, other) };
}

/**
 * As `kubectl apply` creates an object, and as `kubectl apply --server-side` does; both dry, so that no request meets
 * what another has left.
 */
function requestsOf({ kind, metadata: { name, namespace } }: Resource, mutant: unknown): Mutant['requests'] {
  const { apiVersion, plural, namespaced } = kindPlaces[kind];
  const root = apiVersion.includes('/') ? `/apis/${apiVersion}` : `/api/${apiVersion}`;
  const path = `${root}${namespaced ? `/namespaces/${namespace ?? 'default'}` : ''}/${plural}`;
  const body = JSON.stringify(mutant);
  const accept = 'application/json';
  const strict = 'dryRun=All&fieldValidation=Strict';
  return [
    {
      method: 'POST',
      path: `${path}?${strict}&fieldManager=kubectl-client-side-apply`,
      headers: { accept, 'content-type': 'application/json' },
      body,
    },
    {
      method: 'PATCH',
      path: `${path}/${name}?${strict}&fieldManager=kubectl&force=false`,
      headers: { accept, 'content-type': 'application/apply-patch+yaml' },
      body,
    },
  ];
}
