export interface HttpRequest {
  readonly method: 'GET' | 'HEAD' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
  readonly url: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string;
}
export interface HttpResponse {
  readonly status: number;
  /** Names in lower case. */
  readonly headers: Readonly<Record<string, string>>;
  text(): Promise<string>;
  /** The body as a JSON value, present if it is known without parsing. It must not be changed. */
  json?(): unknown;
  /** The body as it comes: of a watch until it ends. */
  chunks(): AsyncIterable<Uint8Array>;
  /** Ends the connection without reading the body. */
  discard(): void;
}
