import type { ApiError } from '../../cluster/cluster.ts';
import type { Resource } from '../../cluster/kinds.ts';
import { changesOf, fieldManager, isOurs, nameOf, type Preview } from './preview.ts';

/** What phase 3 does with an object. Nothing is overwritten silently. */
export type Adoption =
  | { readonly state: 'new' | 'unchanged' }
  /** It is from an earlier run, and is changed to what the settings say now. */
  | { readonly state: 'changed'; readonly fields: readonly string[] }
  | { readonly state: 'refused'; readonly because: string; readonly advice: string };

/** Fields that nothing in the cluster acts on. */
const harmless = new Set(['/metadata/annotations/kubernetes.io~1description']);

/**
 * Decides by the server's dry run. An existing object is adopted if applying would change no field of another manager,
 * and, unless it is from an earlier run of holdfast, no field at all.
 */
export function adoptionOf(preview: Preview): Adoption {
  const { live, refusal } = preview;
  if (refusal !== undefined) return refused(preview.resource, refusal);
  if (live === undefined) return { state: 'new' };
  const fields = changesOf(preview).filter((field) => !harmless.has(field));
  if (fields.length === 0) return { state: 'unchanged' };
  if (isOurs(live)) return { state: 'changed', fields };
  return {
    state: 'refused',
    because: `it belongs to ${managersOf(live).join(', ') || 'somebody else'}, and applying would change ${fields.join(', ')}`,
    advice: `choose another name, delete it, or validate what is there with manifests: none`,
  };
}

/** The field managers of an object. */
export function managersOf({ metadata }: Resource): readonly string[] {
  return [...new Set((metadata.managedFields ?? []).map(({ manager }) => manager))];
}

function refused(resource: Resource, { status, answer, details }: ApiError): Adoption {
  if (status === 404 && details?.kind === 'namespaces')
    return {
      state: 'refused',
      because: `there is no namespace ${resource.metadata.namespace}`,
      advice: `make it first: kubectl create namespace ${resource.metadata.namespace}`,
    };
  const conflicts = (details?.causes ?? []).filter(({ reason }) => reason === 'FieldManagerConflict');
  if (status !== 409 || conflicts.length === 0)
    return { state: 'refused', because: answer, advice: `see why the API server does not take ${nameOf(resource)}` };
  const because = conflicts.map(({ message = '', field = '' }) => `${message}: ${field}`).join('; ');
  const left = conflicts.some(({ message }) => message?.includes(`"${fieldManager}"`));
  const advice = left
    ? 'an earlier run left it so: holdfast recover'
    : 'let that manager set the value of the specification, or give the field up; nothing is ever forced';
  return { state: 'refused', because, advice };
}
