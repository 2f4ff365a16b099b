import { ApiError, type Selectors } from './cluster.ts';
import { type Kind, type Kinds, kindPlaces } from './kinds.ts';
import { collectionPath, objectName } from './paths.ts';
import { ask, type Connection } from './requests.ts';

/** Objects of one kind, all of the same moment. */
export interface Listed<K extends Kind> {
  readonly items: readonly Kinds[K][];
  readonly resourceVersion: string;
}
interface ListPage {
  readonly metadata: { readonly resourceVersion: string; readonly continue?: string };
  readonly items: readonly object[] | null;
}

/** kubectl's own chunk size. */
const pageSize = '500';
/** A list whose pages expire under way is begun anew this often. */
const beginnings = 3;

/** Every object that is selected, page by page; each page is a sign of life of the server. */
export async function listAll<K extends Kind>(
  connection: Connection,
  kind: K,
  where: Selectors,
  signal?: AbortSignal,
  heard: () => void = () => undefined,
): Promise<Listed<K>> {
  for (let beginning = 1; ; beginning += 1) {
    try {
      return await pages(connection, kind, where, signal, heard);
    } catch (error) {
      if (!(error instanceof ApiError) || error.status !== 410 || beginning === beginnings) throw error;
    }
  }
}

async function pages<K extends Kind>(
  connection: Connection,
  kind: K,
  where: Selectors,
  signal: AbortSignal | undefined,
  heard: () => void,
): Promise<Listed<K>> {
  const items: Kinds[K][] = [];
  let token: string | undefined;
  for (;;) {
    const page = await onePage(connection, kind, where, token, signal);
    heard();
    for (const item of page.items ?? []) items.push(named(kind, item));
    token = page.metadata.continue || undefined;
    if (token === undefined) return { items, resourceVersion: page.metadata.resourceVersion };
  }
}

async function onePage(
  connection: Connection,
  kind: Kind,
  where: Selectors,
  token: string | undefined,
  signal: AbortSignal | undefined,
): Promise<ListPage> {
  const { labelSelector, fieldSelector, namespace } = where;
  const page = await ask(
    connection,
    {
      tried: 'list',
      on: objectName(kind, namespace === undefined ? {} : { namespace }),
      method: 'GET',
      path: collectionPath(kind, namespace),
      query: { labelSelector, fieldSelector, limit: pageSize, continue: token },
      safe: true,
    },
    signal,
  );
  return page as ListPage;
}

/** The items of a list do not say what they are; the list does. */
export function named<K extends Kind>(kind: K, item: object): Kinds[K] {
  return { apiVersion: kindPlaces[kind].apiVersion, kind, ...item } as unknown as Kinds[K];
}
