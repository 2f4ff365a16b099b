/** The name and password of an address as a header has them (RFC 7617); undefined where it has none. */
export function basicCredentials(url: URL): string | undefined {
  const parts = basicParts(url);
  if (parts === undefined) return undefined;
  return `Basic ${Buffer.from(`${parts.user}:${parts.password}`).toString('base64')}`;
}

/** The name and password of an address, without its percent signs; undefined where it has none. */
export function basicParts({
  username,
  password,
}: URL): { readonly user: string; readonly password: string } | undefined {
  if (username === '' && password === '') return undefined;
  return { user: decoded(username), password: decoded(password) };
}

/** An address without its name and password, and the header that they stand for. */
export function withCredentials(address: string): {
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
} {
  const url = new URL(address);
  const authorization = basicCredentials(url);
  [url.username, url.password] = ['', ''];
  return { url: url.href, headers: authorization === undefined ? {} : { authorization } };
}

/** A percent sign without two hex digits after it stands for itself, as with curl. */
function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}
