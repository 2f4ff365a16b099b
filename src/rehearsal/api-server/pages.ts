import type { StoredObject } from '../objects/objects.ts';

/** Lists in pages (`limit` and `continue`). Every page of a list shows the revision of its first page. */
export interface Pages {
  /** Undefined if the token is unknown or has expired. */
  page(query: PageQuery): Page | undefined;
}
export interface PageQuery {
  /** Identifies what is listed and selected: a token is valid for this only. */
  readonly scope: string;
  /** The maximum number of items; 0: no maximum. */
  readonly limit: number;
  readonly token: string | undefined;
  readonly list: () => { readonly items: readonly StoredObject[]; readonly revision: number };
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
    page: ({ scope, limit, token, list }) => {
      const listed = token === undefined ? { ...list(), start: 0 } : resumed(unfinished, scope, token);
      if (listed === undefined) return undefined;
      const { items, revision, start } = listed;
      const end = limit > 0 ? start + limit : items.length;
      if (end >= items.length) return { items: items.slice(start), revision };
      keep(unfinished, `${revision} ${scope}`, items);
      return {
        items: items.slice(start, end),
        revision,
        token: btoa(`${revision} ${end}`),
        remaining: items.length - end,
      };
    },
  };
}

function resumed(unfinished: ReadonlyMap<string, readonly StoredObject[]>, scope: string, token: string) {
  if (!/^[A-Za-z0-9+/]*=*$/.test(token) || token.length % 4 !== 0) return undefined;
  const [revision = 0, start = 0] = atob(token).split(' ').map(Number);
  const items = unfinished.get(`${revision} ${scope}`);
  return items && { items, revision, start };
}

function keep(unfinished: Map<string, readonly StoredObject[]>, key: string, items: readonly StoredObject[]): void {
  unfinished.delete(key);
  unfinished.set(key, items);
  for (const oldest of [...unfinished.keys()].slice(0, -listsKept)) unfinished.delete(oldest);
}
