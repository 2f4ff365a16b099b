import * as z from 'zod';
import { ApiError } from './cluster.ts';
import type { ObjectPlace } from './kinds.ts';
import { collectionPath, objectName } from './paths.ts';
import { ask, type Connection } from './requests.ts';

/** The default of kubectl's --chunk-size. */
const pageSize = '500';
/** How often a list is begun in all if its continue token expires (410). */
const attempts = 3;

const pageShape = z.looseObject({
  metadata: z.looseObject({ continue: z.string().nullish() }),
  items: z.array(z.looseObject({})).nullable(),
});

/** The objects of any kind, and the version, of an API server. */
export interface Reader {
  /**
   * The objects at that place, page by page, as the server gave them: of one namespace, or of all. A list that has to
   * be begun again gives objects twice. An `ApiError` of 404 if the server has no such place.
   */
  pagesOf(place: ObjectPlace, namespace?: string): AsyncIterable<readonly object[]>;
  /** Such as `v1.34.1`. */
  version(): Promise<string | undefined>;
}

export function readerOf(host: Connection['host'], access: Connection['access']): Reader {
  const connection: Connection = { host, access };
  return {
    pagesOf: (place, namespace) => pages(connection, place, namespace),
    version: () => serverVersion(connection),
  };
}

async function* pages(
  connection: Connection,
  place: ObjectPlace,
  namespace: string | undefined,
): AsyncGenerator<readonly object[]> {
  let [token, attempt, isOver]: [string | undefined, number, boolean] = [undefined, 1, false];
  while (!isOver) {
    const page: Page | undefined = await onePage(connection, place, namespace, token).catch((error: unknown) => {
      if (!isExpired(error) || attempt === attempts) throw error;
      return undefined;
    });
    attempt += page === undefined ? 1 : 0;
    token = page?.metadata.continue || undefined;
    isOver = page !== undefined && token === undefined;
    yield page?.items ?? [];
  }
}

/** The continue token is too old: the list is begun again. */
const isExpired = (error: unknown): boolean => error instanceof ApiError && error.status === 410;

type Page = z.output<typeof pageShape>;

async function onePage(
  connection: Connection,
  place: ObjectPlace,
  namespace: string | undefined,
  token: string | undefined,
): Promise<Page> {
  const page = await ask(connection, {
    tried: 'list',
    on: objectName(place.kind, namespace === undefined ? {} : { namespace }),
    method: 'GET',
    path: collectionPath(place, namespace),
    query: { limit: pageSize, continue: token },
    safe: true,
    shape: pageShape,
  });
  return page as Page;
}

const versionShape = z.looseObject({ gitVersion: z.string().optional() });

async function serverVersion(connection: Connection): Promise<string | undefined> {
  const question = { tried: 'read', on: '/version', method: 'GET', path: '/version', safe: true } as const;
  const answer = await ask(connection, { ...question, shape: versionShape });
  return (answer as z.output<typeof versionShape>).gitVersion;
}
