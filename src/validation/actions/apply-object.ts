import { type Kind, kindPlaces, type ObjectPlace, type Resource } from '../../cluster/kinds.ts';
import { type Manifest, manifestOf } from '../../cluster/manifest.ts';
import type { AnyObject } from '../../cluster/objects.ts';
import { fieldManager, isOurs, nameOf, placeOf } from '../manifests/preview.ts';
import type { Undo } from '../record/undo.ts';
import type { Site } from '../site.ts';
import type { Action } from './action.ts';

export interface ApplyIntent {
  readonly resource: Resource;
  /** Where the API server has it; absent of a kind that the product knows. */
  readonly place?: ObjectPlace;
  /** Whether it existed before the run; then the undo never deletes it. */
  readonly existed: boolean;
  /** The uid of an object that this action created; known once it is created. */
  readonly uid?: string;
}

/**
 * Server-side apply of one object of phase 3, never forced: a field of another manager is a conflict that stops the
 * run. The specification leaves these objects in place; the undo (`--cleanup`) deletes only an object that this action
 * created, by its uid.
 */
export const applyObject: Action<Manifest, ApplyIntent> = {
  name: 'apply-object',
  async prepare(site, { resource, place }) {
    const intent = { resource, ...unlessKnown(place) };
    const objects = objectsOf(site, intent);
    await objects.apply(resource, { fieldManager, dryRun: true });
    return { ...intent, existed: (await objects.get(placeOf(resource))) !== undefined };
  },
  async perform(site, intent) {
    const { uid } = (await objectsOf(site, intent).apply(intent.resource, { fieldManager })).metadata;
    return intent.existed || uid === undefined ? undefined : { intent: { ...intent, uid } };
  },
  // An undo needs its name alone, and it may be a Secret.
  recorded: ({ resource, ...intent }) => ({
    ...intent,
    resource: { apiVersion: resource.apiVersion, kind: resource.kind, metadata: placeOf(resource) },
  }),
  async verify(site, intent) {
    const found = await objectsOf(site, intent).get(placeOf(intent.resource));
    return {
      id: 'applied',
      expected: `${nameOf(intent.resource)} there`,
      outcome: found === undefined ? 'not-met' : 'met',
      observed: found === undefined ? 'it is not' : 'it is',
    };
  },
  async undo(site, intent) {
    const { existed, uid } = intent;
    if (existed) return { state: 'kept', because: 'it was there before the run' };
    const [objects, at] = [objectsOf(site, intent), placeOf(intent.resource)];
    const found = await objects.get(at);
    if (found === undefined) return { state: 'not-needed', because: 'it is gone already' };
    if (uid === undefined || found.metadata.uid !== uid) return notMadeHere(found, uid);
    await objects.delete(at, { uid });
    return { state: 'undone', because: 'it was made by this run, and is deleted' };
  },
  staysUnlessCleanup: true,
  subject: ({ resource }) => nameOf(resource),
  byHand({ resource: { kind, metadata }, place, existed }) {
    const type = place === undefined ? kind.toLowerCase() : [place.plural, groupOf(place)].filter(Boolean).join('.');
    const namespace = metadata.namespace === undefined ? '' : ` -n ${metadata.namespace}`;
    return `kubectl ${existed ? 'get' : 'delete'} ${type} ${metadata.name}${namespace}`;
  },
};

function notMadeHere(found: AnyObject, uid: string | undefined): Undo {
  if (!isOurs(found)) return { state: 'kept', because: 'somebody else created it again meanwhile' };
  return uid === undefined
    ? { state: 'failed', because: 'nobody knows whether this run made it or a later one' }
    : { state: 'kept', because: 'another run created it again meanwhile' };
}

/** Whether `--cleanup` may delete the object: not if it existed before the run. */
export const isRemovable = (intent: unknown): boolean => !(intent as Partial<ApplyIntent> | null)?.existed;

function objectsOf({ cluster }: Site, { resource, place }: Pick<ApplyIntent, 'resource' | 'place'>) {
  return cluster.objectsOf(place ?? manifestOf(resource).place);
}

/** As the journals of older versions have it. */
const unlessKnown = (place: ObjectPlace): Pick<ApplyIntent, 'place'> =>
  kindPlaces[place.kind as Kind]?.apiVersion === place.apiVersion ? {} : { place };

const groupOf = ({ apiVersion }: ObjectPlace): string =>
  apiVersion.includes('/') ? (apiVersion.split('/')[0] ?? '') : '';
