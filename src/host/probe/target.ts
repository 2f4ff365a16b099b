/** The address to request, and the options of the request beyond a plain GET. The options mean what curl's do. */
export interface Target {
  readonly url: string;
  /** What the first line of the visible text must begin with; the sample says if it does not. */
  readonly body?: string;
  /** Text that the body must contain, or `/regular expression/`; the sample says if it does not. */
  readonly bodyContains?: string;
  /** GET without it, POST with data. It is kept at a redirect, as by curl's -X. */
  readonly method?: string;
  readonly headers?: readonly Header[];
  /** Where to connect to without a look-up; the first entry that fits counts. */
  readonly resolve?: readonly Resolved[];
  /** PEM of the authorities that are trusted instead of the system's. */
  readonly ca?: string;
  /** What the client proves who it is with. */
  readonly identity?: Identity;
  /** The request's body. */
  readonly data?: string;
  /** Whether a compressed body is asked for. */
  readonly compressed?: boolean;
  /** The path of a socket of this machine that is connected to, whatever the URL's name is. */
  readonly unixSocket?: string;
  /** Whether HTTP/2 is spoken where the server wants it; to http:// always. */
  readonly http2?: boolean;
  /** Whether any certificate is accepted. */
  readonly insecure?: boolean;
  /** Only addresses of this family are connected to. */
  readonly family?: 4 | 6;
  /**
   * The http://, socks5:// or socks5h:// address of the proxy, with its password. The last leaves the look-up of names
   * to the proxy.
   */
  readonly proxy?: string;
  /**
   * The variables that count: HTTP_PROXY, HTTPS_PROXY and ALL_PROXY without `proxy`, NO_PROXY for any. Without it the
   * environment counts for nothing.
   */
  readonly environment?: Readonly<Record<string, string | undefined>>;
  /** So many redirects are followed; none without it. */
  readonly redirects?: number;
}

/** Replaces the request's own header of that name, whatever its case; without a value that header is left out. */
export interface Header {
  readonly name: string;
  readonly value?: string;
  /** As it was written, if its white space is another than usual. */
  readonly line?: string;
}

/** PEM of a certificate, with those that it rests on, and of its key. */
export interface Identity {
  readonly cert: string;
  readonly key: string;
}

export interface Resolved {
  /** A name, an address without brackets, or `*` for any. */
  readonly host: string;
  readonly port: number;
  /** Tried one after the other. */
  readonly addresses: readonly string[];
}
