import { isCordoned } from '../../cluster/pods.ts';
import type { Node } from '../../cluster/resources.ts';
import { fieldManager } from '../manifests/preview.ts';
import type { Undo } from '../record/undo.ts';
import type { Site } from '../site.ts';

/** A node that is cordoned, and what `spec.unschedulable` was: only what we cordoned is uncordoned. */
export interface Cordon {
  readonly node: string;
  readonly uid: string;
  readonly wasCordoned: boolean;
}

/** What has to be known to undo it; undefined when there is no such node. */
export async function prepareCordon(site: Site, node: string): Promise<Cordon | undefined> {
  const found = await nodeOf(site, node);
  return found && { node, uid: found.metadata.uid ?? '', wasCordoned: isCordoned(found) };
}

/** Keeps new pods away from the node; those on it stay. Another node of that name is a 422 `ApiError`, because a uid is immutable. */
export async function setCordoned(site: Site, { node: name, uid }: Cordon, cordoned: boolean): Promise<void> {
  // Null removes the field, as uncordoning with kubectl does.
  const value = { metadata: { uid }, spec: { unschedulable: cordoned ? true : null } };
  await site.cluster.patch('Node', { name }, { type: 'strategic', value });
}

/** Uncordons what was cordoned here, unless it is somebody else's cordon by now, and reads it back. */
export async function undoCordon(site: Site, cordon: Cordon): Promise<Undo> {
  const { node, uid, wasCordoned } = cordon;
  const before = await nodeOf(site, node);
  if (before === undefined || before.metadata.uid !== uid)
    return { state: 'not-needed', because: `node ${node} is gone` };
  if (wasCordoned) return { state: 'not-needed', because: 'it was cordoned before the run' };
  if (!isCordoned(before)) return { state: 'not-needed', because: 'it is schedulable, as before' };
  const other = ownerOfCordon(before);
  if (other !== undefined) return { state: 'kept', because: `${other} cordoned it meanwhile` };
  await setCordoned(site, cordon, false);
  const after = await nodeOf(site, node);
  return after !== undefined && isCordoned(after)
    ? { state: 'failed', because: `node ${node} is still cordoned after uncordoning it` }
    : { state: 'undone', because: 'it is schedulable again' };
}

/** Who else set the field, by the server's own account; setting what is there already changes no owner. */
function ownerOfCordon({ metadata: { managedFields = [] } }: Node): string | undefined {
  const owners = managedFields.filter(({ fieldsV1 }) => hasField(fieldsV1, ['f:spec', 'f:unschedulable']));
  return owners.some(({ manager }) => manager === fieldManager) ? undefined : owners[0]?.manager;
}

function hasField(fields: unknown, [step, ...rest]: readonly string[]): boolean {
  if (step === undefined) return true;
  return typeof fields === 'object' && fields !== null && step in fields && hasField(Reflect.get(fields, step), rest);
}

/** What a person types: nothing changes a node that was cordoned before. */
export const uncordonByHand = ({ node, wasCordoned }: Cordon): string =>
  wasCordoned ? `kubectl get node ${node}` : `kubectl uncordon ${node}`;

export const nodeOf = (site: Site, name: string): Promise<Node | undefined> => site.cluster.get('Node', { name });
