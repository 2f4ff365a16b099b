/** The response of a FastCGI responder (FastCGI specification 1.0). */
export interface FastCgiAnswer {
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
  readonly stderr: string;
  /** False when the connection was closed before FCGI_END_REQUEST. */
  readonly complete: boolean;
}

/** Encodes one request without a body, on a connection that is closed after it (sections 3.3 and 3.4). */
export function encodeRequest(parameters: Readonly<Record<string, string>>): Uint8Array {
  const pairs = Object.entries(parameters).map(([name, value]) => pair(name, value));
  const begin = Uint8Array.of(0, responder, 0, 0, 0, 0, 0, 0);
  return joined([
    record(types.beginRequest, begin),
    ...inRecords(types.params, joined(pairs)),
    record(types.params, new Uint8Array()),
    record(types.stdin, new Uint8Array()),
  ]);
}

/** Decodes the records of a response; an incomplete last record is ignored. */
export function decodeAnswer(bytes: Uint8Array): FastCgiAnswer {
  const parts: Record<number, Uint8Array[]> = { [types.stdout]: [], [types.stderr]: [] };
  let complete = false;
  for (let at = 0; at + headerBytes <= bytes.length; ) {
    const [, type = 0, , , high = 0, low = 0, padding = 0] = bytes.subarray(at, at + headerBytes);
    const end = at + headerBytes + high * 256 + low;
    if (end > bytes.length) break;
    parts[type]?.push(bytes.subarray(at + headerBytes, end));
    complete ||= type === types.endRequest;
    at = end + padding;
  }
  const text = (type: number) => new TextDecoder().decode(joined(parts[type] ?? []));
  return { ...response(text(types.stdout)), stderr: text(types.stderr), complete };
}

const version = 1;
const requestId = 1;
const responder = 1;
const headerBytes = 8;
const maximumContent = 65_535;
const types = { beginRequest: 1, endRequest: 3, params: 4, stdin: 5, stdout: 6, stderr: 7 } as const;

function inRecords(type: number, content: Uint8Array): readonly Uint8Array[] {
  const count = Math.ceil(content.length / maximumContent);
  return Array.from({ length: count }, (_, index) =>
    record(type, content.subarray(index * maximumContent, (index + 1) * maximumContent)),
  );
}

function record(type: number, content: Uint8Array): Uint8Array {
  const header = Uint8Array.of(version, type, 0, requestId, content.length >> 8, content.length & 0xff, 0, 0);
  return joined([header, content]);
}

/** Lengths of 128 and more take four bytes, the first bit set. */
function pair(name: string, value: string): Uint8Array {
  const [nameBytes, valueBytes] = [name, value].map((text) => new TextEncoder().encode(text)) as [
    Uint8Array,
    Uint8Array,
  ];
  return joined([length(nameBytes.length), length(valueBytes.length), nameBytes, valueBytes]);
}

function length(count: number): Uint8Array {
  if (count < 128) return Uint8Array.of(count);
  return Uint8Array.of((count >>> 24) | 0x80, (count >>> 16) & 0xff, (count >>> 8) & 0xff, count & 0xff);
}

function joined(parts: readonly Uint8Array[]): Uint8Array {
  const whole = new Uint8Array(parts.reduce((total, part) => total + part.length, 0));
  let at = 0;
  for (const part of parts) {
    whole.set(part, at);
    at += part.length;
  }
  return whole;
}

/** A CGI response: header lines, an empty line, the body (RFC 3875, section 6). */
function response(text: string): Pick<FastCgiAnswer, 'headers' | 'body'> {
  const [head = '', ...rest] = text.split(/\r?\n\r?\n/);
  const headers = head
    .split(/\r?\n/)
    .map((line) => [line.split(':')[0]?.toLowerCase() ?? '', line.replace(/^[^:]*:\s*/, '')]);
  return { headers: Object.fromEntries(headers), body: rest.join('\n\n') };
}
