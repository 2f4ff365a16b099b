import { isCordoned } from '../../cluster/pods.ts';
import type { Node } from '../../cluster/resources.ts';
import { fieldManager } from '../manifests/preview.ts';
import type { Undo } from '../record/undo.ts';
import type { Site } from '../site.ts';

/** The intent of an action that cordons a node. Only a node that the run itself cordoned is uncordoned. */
export interface Cordon {
  readonly node: string;
  readonly uid: string;
  readonly wasCordoned: boolean;
}

/** Reads what the undo needs; undefined if there is no such node. */
export async function prepareCordon(site: Site, node: string): Promise<Cordon | undefined> {
  const found = await nodeOf(site, node);
  return found && { node, uid: found.metadata.uid ?? '', wasCordoned: isCordoned(found) };
}

/**
 * Sets or removes `spec.unschedulable`. Rejects with a 422 `ApiError` if another node has that name now, because a uid
 * is immutable.
 */
export async function setCordoned(site: Site, { node: name, uid }: Cordon, cordoned: boolean): Promise<void> {
  // Null removes the field, as uncordoning with kubectl does.
  const value = { metadata: { uid }, spec: { unschedulable: cordoned ? true : null } };
  await site.cluster.patch('Node', { name }, { type: 'strategic', value });
}

/** Uncordons the node and reads it back, unless somebody else has cordoned it meanwhile. */
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

/** The other manager that set the field, by `managedFields`; setting a field to its present value changes no owner. */
function ownerOfCordon({ metadata: { managedFields = [] } }: Node): string | undefined {
  const owners = managedFields.filter(({ fieldsV1 }) => hasField(fieldsV1, ['f:spec', 'f:unschedulable']));
  return owners.some(({ manager }) => manager === fieldManager) ? undefined : owners[0]?.manager;
}

function hasField(fields: unknown, [step, ...rest]: readonly string[]): boolean {
  if (step === undefined) return true;
  return typeof fields === 'object' && fields !== null && step in fields && hasField(Reflect.get(fields, step), rest);
}

/** The command that a person types. A node that was cordoned before the run is only shown. */
export const uncordonByHand = ({ node, wasCordoned }: Cordon): string =>
  wasCordoned ? `kubectl get node ${node}` : `kubectl uncordon ${node}`;

export const nodeOf = (site: Site, name: string): Promise<Node | undefined> => site.cluster.get('Node', { name });
