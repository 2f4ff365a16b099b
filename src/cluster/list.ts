import * as z from 'zod';
import { ApiError, type Selectors } from './cluster.ts';
import { type Kind, type Kinds, kindPlaces } from './kinds.ts';
import { collectionPath, objectName } from './paths.ts';
import { ask, type Connection } from './requests.ts';
import { objectShape } from './shapes.ts';

/** Objects of one kind, all at one resource version. */
export interface Listed<K extends Kind> {
  readonly items: readonly Kinds[K][];
  readonly resourceVersion: string;
}
interface ListPage {
  readonly metadata: { readonly resourceVersion: string; readonly continue?: string };
  readonly items: readonly object[] | null;
}

/** The default of kubectl's --chunk-size. */
const pageSize = '500';
/** How often a list is begun in all if its continue token expires (410). */
const attempts = 3;

/** Every selected object, fetched page by page. `onPage` is called after each page. */
export async function listAll<K extends Kind>(
  connection: Connection,
  kind: K,
  where: Selectors,
  signal?: AbortSignal,
  onPage: () => void = () => undefined,
): Promise<Listed<K>> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await pages(connection, kind, where, signal, onPage);
    } catch (error) {
      if (!(error instanceof ApiError) || error.status !== 410 || attempt === attempts) throw error;
    }
  }
}

async function pages<K extends Kind>(
  connection: Connection,
  kind: K,
  where: Selectors,
  signal: AbortSignal | undefined,
  onPage: () => void,
): Promise<Listed<K>> {
  const items: Kinds[K][] = [];
  let token: string | undefined;
  for (;;) {
    const page = await onePage(connection, kind, where, token, signal);
    onPage();
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
      shape: listShape(kind),
    },
    signal,
  );
  return page as ListPage;
}

const listShape = (kind: Kind) =>
  z.looseObject({
    metadata: z.looseObject({ resourceVersion: z.string().optional(), continue: z.string().nullish() }),
    items: z.array(objectShape(kind)).nullable(),
  });

/** Adds kind and apiVersion, which the API leaves out of the items of a list. */
export function named<K extends Kind>(kind: K, item: object): Kinds[K] {
  return { apiVersion: kindPlaces[kind].apiVersion, kind, ...item } as unknown as Kinds[K];
}
