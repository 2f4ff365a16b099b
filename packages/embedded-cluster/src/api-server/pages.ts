import type { StoredObject } from '../objects/objects.ts';

/** Lists in pages (`limit` and `continue`). Every page of a list shows the revision of its first page. */
export interface Pages {
  /** Undefined if the token is unknown or has expired. */
  page(query: PageQuery): Page | undefined;
}
export interface PageQuery {
  /** Identifies the kind and the place of what is listed: a token is valid for this only, with whatever selectors. */
  readonly scope: string;
  /** The maximum number of items; 0: no maximum. */
  readonly limit: number;
  readonly token: string | undefined;
  readonly list: () => { readonly items: readonly StoredObject[]; readonly revision: number };
  /** Every object of the scope, in the order of the list. */
  readonly everything: () => readonly StoredObject[];
  readonly matches: (object: StoredObject) => boolean;
}
export interface Page {
  readonly items: readonly StoredObject[];
  readonly revision: number;
  readonly token?: string;
  readonly remaining?: number;
}

/** Unfinished lists that are kept. A real token expires when etcd compacts its revision, after five minutes. */
const listsKept = 16;

export function pages(): Pages {
  const unfinished = new Map<string, readonly StoredObject[]>();
  return {
    page: (query) => {
      const { scope, limit, token } = query;
      const listed = token === undefined ? query.list() : resumed(unfinished, query, token);
      if (listed === undefined) return undefined;
      const { items, revision } = listed;
      const page = limit > 0 ? items.slice(0, limit) : items;
      const last = page.at(-1);
      if (last === undefined || page.length === items.length) return { items, revision };
      const key = `${revision} ${scope}`;
      keep(unfinished, key, unfinished.get(key) ?? query.everything());
      return {
        items: page,
        revision,
        token: btoa(`${revision} ${placeOf(last)}`),
        remaining: items.length - page.length,
      };
    },
  };
}

function resumed(
  unfinished: ReadonlyMap<string, readonly StoredObject[]>,
  { scope, matches }: PageQuery,
  token: string,
) {
  if (!/^[A-Za-z0-9+/]*=*$/.test(token) || token.length % 4 !== 0) return undefined;
  const [revision = 0, place] = atob(token).split(' ');
  const everything = unfinished.get(`${revision} ${scope}`);
  const last = everything?.findIndex((object) => placeOf(object) === place) ?? -1;
  if (everything === undefined || last === -1) return undefined;
  return { items: everything.slice(last + 1).filter(matches), revision: Number(revision) };
}

const placeOf = ({ metadata: { namespace = '', name } }: StoredObject): string => `${namespace}/${name}`;

function keep(unfinished: Map<string, readonly StoredObject[]>, key: string, items: readonly StoredObject[]): void {
  unfinished.delete(key);
  unfinished.set(key, items);
  for (const oldest of [...unfinished.keys()].slice(0, -listsKept)) unfinished.delete(oldest);
}
