import type { Header } from './target.ts';

/** A request as HTTP/2 has it (RFC 9113, section 8.3.1). */
export interface Http2Request {
  readonly origin: string;
  readonly headers: Readonly<Record<string, string | readonly string[]>>;
  readonly data?: string;
}

/** What only HTTP/1.1 knows (RFC 9113, section 8.2.2), and what has a pseudo-header. */
const left: ReadonlySet<string> = new Set([
  'host',
  'connection',
  'keep-alive',
  'proxy-connection',
  'transfer-encoding',
  'upgrade',
]);

/** The headers given replace those of its own of the same name. */
export function http2Request(
  method: string,
  url: URL,
  {
    own,
    given,
    data,
  }: { readonly own: readonly Header[]; readonly given: readonly Header[]; readonly data: string | undefined },
): Http2Request {
  const replaced = new Set(given.map(({ name }) => name.toLowerCase()));
  const fields = new Map<string, readonly string[]>();
  for (const { name, value } of [...own.filter((one) => !replaced.has(one.name.toLowerCase())), ...given]) {
    const key = name.toLowerCase();
    if (value !== undefined && !left.has(key)) fields.set(key, [...(fields.get(key) ?? []), value]);
  }
  const host = given.find(({ name }) => name.toLowerCase() === 'host')?.value;
  return {
    origin: url.origin,
    headers: {
      ':method': method,
      ':scheme': url.protocol.slice(0, -1),
      ':authority': host ?? url.host,
      ':path': `${url.pathname}${url.search}`,
      ...Object.fromEntries(
        [...fields].map(([name, values]) => [name, values.length === 1 ? (values[0] ?? '') : values]),
      ),
    },
    ...(data === undefined ? {} : { data }),
  };
}
