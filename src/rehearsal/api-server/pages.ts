import type { StoredObject } from '../objects/objects.ts';

/** A list in pages: every page is of the revision that the first was. */
export interface Pages {
  /** `undefined` when the token is unknown or too old. */
  page(query: PageQuery): Page | undefined;
}
export interface PageQuery {
  /** What is listed and selected: a token is good for this alone. */
  readonly of: string;
  /** 0: all at once. */
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

/** Lists under way that are remembered: a server forgets by time, five minutes after etcd's compaction. */
const listsRemembered = 16;

export function pages(): Pages {
  const begun = new Map<string, readonly StoredObject[]>();
  return {
    page: ({ of, limit, token, list }) => {
      const listed = token === undefined ? { ...list(), start: 0 } : resumed(begun, of, token);
      if (listed === undefined) return undefined;
      const { items, revision, start } = listed;
      const end = limit > 0 ? start + limit : items.length;
      if (end >= items.length) return { items: items.slice(start), revision };
      remember(begun, `${revision} ${of}`, items);
      return {
        items: items.slice(start, end),
        revision,
        token: btoa(`${revision} ${end}`),
        remaining: items.length - end,
      };
    },
  };
}

function resumed(begun: ReadonlyMap<string, readonly StoredObject[]>, of: string, token: string) {
  if (!/^[A-Za-z0-9+/]*=*$/.test(token) || token.length % 4 !== 0) return undefined;
  const [revision = 0, start = 0] = atob(token).split(' ').map(Number);
  const items = begun.get(`${revision} ${of}`);
  return items && { items, revision, start };
}

function remember(begun: Map<string, readonly StoredObject[]>, key: string, items: readonly StoredObject[]): void {
  begun.delete(key);
  begun.set(key, items);
  for (const oldest of [...begun.keys()].slice(0, -listsRemembered)) begun.delete(oldest);
}
