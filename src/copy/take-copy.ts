import { ApiError } from '../cluster/cluster.ts';
import type { ObjectPlace } from '../cluster/kinds.ts';
import type { Reader } from '../cluster/pages.ts';
import { copiedObject } from './copied-object.ts';
import { type CopiedObject, type Copy, keyOf } from './copy.ts';
import { clusterScoped, keptKinds } from './kept-kinds.ts';

export interface Taken {
  readonly copy: Copy;
  /** The kinds that may not be read, and the server's words. */
  readonly refused: readonly Refused[];
}

interface Refused {
  readonly kind: string;
  readonly because: string;
}

/**
 * Reads the cluster, kind by kind and page by page; of every object what `keptKinds` names is kept, and the rest is
 * forgotten with its page. `takenAt`: epoch milliseconds. A kind that the server does not have has no objects.
 */
export async function takeCopy(source: Reader, takenAt: number, namespaces: readonly string[]): Promise<Taken> {
  const objects = new Map<string, readonly CopiedObject[]>();
  const refused: Refused[] = [];
  for (const [kind, { apiVersion, plural }] of Object.entries(keptKinds)) {
    const place = { kind, apiVersion, plural, namespaced: !clusterScoped.has(kind) };
    const found = await objectsAt(source, place, place.namespaced ? namespaces : []).catch(refusalOf);
    if (Array.isArray(found)) objects.set(kind, found);
    else refused.push({ kind, because: String(found) });
  }
  const kubernetes = await source.version();
  const kindsRead = [...objects.keys()];
  return { copy: { takenAt, kubernetes, objects, kindsRead, namespaces }, refused };
}

/** The server's words of a refusal; every other error is thrown on. */
function refusalOf(error: unknown): string {
  if (error instanceof ApiError && error.status === 403) return error.answer;
  throw error;
}

async function objectsAt(
  source: Reader,
  place: ObjectPlace,
  namespaces: readonly string[],
): Promise<readonly CopiedObject[]> {
  const found = new Map<string, CopiedObject>();
  try {
    for (const namespace of namespaces.length === 0 ? [undefined] : namespaces)
      for await (const page of source.pagesOf(place, namespace)) keepPage(found, place, page);
  } catch (error) {
    if (!isMissing(error)) throw error;
  }
  return [...found.entries()].toSorted(([a], [b]) => (a < b ? -1 : 1)).map(([, object]) => object);
}

function keepPage(found: Map<string, CopiedObject>, { kind, plural }: ObjectPlace, page: readonly object[]): void {
  for (const item of page) {
    const object = copiedObject({ value: { kind, ...item }, list: undefined }, plural);
    if (object !== undefined) found.set(keyOf(object), object);
  }
}

/** The server does not have the kind, as one without Karpenter or the Gateway API. */
const isMissing = (error: unknown): error is ApiError => error instanceof ApiError && error.status === 404;

/** The verbs that `takeCopy` needs, for the whole cluster. */
export const copyPermissions = Object.values(keptKinds).map(({ apiVersion, plural }) => ({
  group: apiVersion.includes('/') ? apiVersion.slice(0, apiVersion.indexOf('/')) : '',
  resource: plural,
}));
