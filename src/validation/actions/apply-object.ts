import type { Kind, Resource } from '../../cluster/kinds.ts';
import { fieldManager, isOurs, nameOf, placeOf } from '../manifests/preview.ts';
import type { Action } from './action.ts';

interface ApplyIntent {
  readonly resource: Resource;
  /** Whether it existed before the run; then the undo never deletes it. */
  readonly existed: boolean;
  /** The uid of an object that this action created; known once it is created. */
  readonly uid?: string;
}

/**
 * Server-side apply of one object of 2.1 to 2.3, never forced: a field of another manager is a conflict that stops the run. The
 * specification leaves these objects in place; the undo (`--cleanup`) deletes only an object that this action created, by its uid.
 */
export const applyObject: Action<Resource, ApplyIntent> = {
  name: 'apply-object',
  async prepare({ cluster }, resource) {
    await cluster.apply(resource, { fieldManager, dryRun: true });
    return { resource, existed: (await cluster.get(resource.kind as Kind, placeOf(resource))) !== undefined };
  },
  async perform({ cluster }, intent) {
    const { uid } = (await cluster.apply(intent.resource, { fieldManager })).metadata;
    return intent.existed || uid === undefined ? undefined : { intent: { ...intent, uid } };
  },
  async verify({ cluster }, { resource }) {
    const found = await cluster.get(resource.kind as Kind, placeOf(resource));
    return {
      id: 'applied',
      expected: `${nameOf(resource)} there`,
      outcome: found === undefined ? 'not-met' : 'met',
      observed: found === undefined ? 'it is not' : 'it is',
    };
  },
  async undo({ cluster }, { resource, existed, uid }) {
    if (existed) return { state: 'kept', because: 'it was there before the run' };
    const found = await cluster.get(resource.kind as Kind, placeOf(resource));
    if (found === undefined) return { state: 'not-needed', because: 'it is gone already' };
    if (!isOurs(found)) return { state: 'kept', because: 'somebody else made it anew meanwhile' };
    if (uid === undefined) return { state: 'failed', because: 'nobody knows whether this run made it or a later one' };
    if (found.metadata.uid !== uid) return { state: 'kept', because: 'another run made it anew meanwhile' };
    await cluster.delete(resource.kind as Kind, placeOf(resource), { uid });
    return { state: 'undone', because: 'it was made by this run, and is deleted' };
  },
  subject: ({ resource }) => nameOf(resource),
  byHand: ({ resource: { kind, metadata }, existed }) =>
    `kubectl ${existed ? 'get' : 'delete'} ${kind.toLowerCase()} ${metadata.name}${metadata.namespace === undefined ? '' : ` -n ${metadata.namespace}`}`,
};

/** Whether `--cleanup` may delete the object: not if it existed before the run. */
export const isRemovable = (intent: unknown): boolean => !(intent as ApplyIntent).existed;
