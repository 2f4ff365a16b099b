import type { Page } from '../host/serve.ts';
import { isSameToken } from '../host/token.ts';

/** What a request asks for, once it was let in: the path without the token, and its query. */
export interface Admitted {
  readonly path: string;
  readonly query: URLSearchParams;
}
export interface Door {
  /** The first part of every path; undefined where everybody may come in. */
  readonly token: string | undefined;
}

/**
 * Lets a request in that knows the token, which is a part of the address, so that every relative address of a page has
 * it too. It is no cookie: a browser sends the cookies of 127.0.0.1 to every port of it, also to one of another
 * account.
 */
export function admit({ token }: Door, address: string, name: string): Admitted | Page {
  if (!isLoopback(name)) return foreign;
  const [pathname = '', search = ''] = address.split('?', 2);
  const query = new URLSearchParams(search);
  if (token === undefined) return { path: pathname, query };
  const [, given = '', ...rest] = pathname.split('/');
  // Without the slash at its end the relative addresses of the page would lack the token.
  return isSameToken(given, token) && rest.length > 0 ? { path: `/${rest.join('/')}`, query } : forbidden;
}

/** A foreign page whose name resolves to loopback (DNS rebinding) sends that name as its host. */
const isLoopback = (host: string): boolean => /^(127\.0\.0\.1|localhost|\[::1\])(:\d+)?$/i.test(host);

/** RFC 9110, section 15.5.20. */
const foreign: Page = {
  type: 'text/plain',
  body: 'this page is only served as 127.0.0.1 or localhost\n',
  status: 421,
};
const forbidden: Page = {
  type: 'text/plain',
  body: 'This address lacks the token of this dashboard, or has that of another one: open the whole address that holdfast dashboard has printed.\n',
  status: 403,
};
