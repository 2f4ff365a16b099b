import type { Answering } from '../../../src/listen/api-endpoint.ts';

/** An object that the cluster has, and the paths at which requests about its kind arrive. */
export interface Target {
  /** Without the fields that make a server refuse what was read before. */
  readonly object: object;
  /** Its collection, itself, and others: of other names, of subresources, below `watch`. */
  readonly paths: readonly [collection: string, own: string, ...others: string[]];
  /** Those that an update may be sent to: itself and its subresources; none of a kind that is never stored. */
  readonly updated: readonly string[];
}

interface Resource {
  readonly name: string;
  readonly verbs: readonly string[];
  readonly kind: string;
  readonly namespaced: boolean;
}
interface Sample {
  readonly metadata: { readonly name: string; readonly namespace?: string };
}
interface Groups {
  readonly groups: readonly { readonly preferredVersion: { readonly groupVersion: string } }[];
}

/** Few names, so that requests meet each other’s objects. */
const otherNames = ['web', 'nope', '__proto__'];
const samplesOfKind = 3;

/**
 * Objects of every kind that the server serves, as its own discovery and lists have them; of a kind without objects an
 * empty one.
 */
export async function targetsOf(server: Answering): Promise<readonly Target[]> {
  const { groups } = (await read(server, '/apis')) as Groups;
  const roots = ['/api/v1', ...groups.map(({ preferredVersion }) => `/apis/${preferredVersion.groupVersion}`)];
  const targets = await Promise.all(roots.map((root) => targetsBelow(server, root)));
  return targets.flat();
}

async function targetsBelow(server: Answering, root: string): Promise<readonly Target[]> {
  const { resources } = (await read(server, root)) as { readonly resources: readonly Resource[] };
  const kinds = resources.filter(({ name }) => !name.includes('/'));
  const targets = await Promise.all(
    kinds.map(async (resource) => {
      const objects = await samplesOf(server, root, resource);
      return objects.map((object) => targetOf(root, resource, object, subresourcesOf(resource, resources)));
    }),
  );
  return targets.flat();
}

function subresourcesOf({ name }: Resource, resources: readonly Resource[]): readonly Resource[] {
  const before = `${name}/`;
  return resources.flatMap((one) =>
    one.name.startsWith(before) ? [{ ...one, name: one.name.slice(before.length) }] : [],
  );
}

/** A kind without a list, such as a review, has no items. */
async function samplesOf(server: Answering, root: string, { name, namespaced }: Resource): Promise<readonly Sample[]> {
  const { items = [] } = (await read(server, `${root}/${name}`)) as { readonly items?: readonly Sample[] };
  const empty = { metadata: { name: 'web', ...(namespaced && { namespace: 'default' }) } };
  return items.length > 0 ? items.slice(0, samplesOfKind) : [empty];
}

function targetOf(root: string, resource: Resource, object: Sample, subresources: readonly Resource[]): Target {
  const { name, namespace } = object.metadata;
  const place = namespace === undefined ? '' : `/namespaces/${namespace}`;
  const collection = `${root}${place}/${resource.name}`;
  return {
    object: { apiVersion: root.replace(/^\/apis?\//, ''), kind: resource.kind, ...sendable(object) },
    paths: [
      collection,
      `${collection}/${name}`,
      ...subresources.map((one) => `${collection}/${name}/${one.name}`),
      ...otherNames.map((one) => `${collection}/${one}`),
      `${root}/watch${place}/${resource.name}`,
    ],
    updated: [resource, ...subresources]
      .filter(({ verbs }) => verbs.includes('update'))
      .map((one) => (one === resource ? `${collection}/${name}` : `${collection}/${name}/${one.name}`)),
  };
}

function sendable(object: Sample): Sample {
  const {
    managedFields: _,
    resourceVersion: __,
    uid: ___,
    ...metadata
  } = object.metadata as Readonly<Record<string, unknown>>;
  return { ...object, metadata: metadata as unknown as Sample['metadata'] };
}

async function read(server: Answering, path: string): Promise<unknown> {
  const response = await server({ method: 'GET', url: `http://api${path}`, headers: {} });
  return JSON.parse(await response.text());
}
