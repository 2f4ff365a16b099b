import { type BodyFraming, byLength, chunked, type Progress, untilClose } from './body-framing.ts';

/** nginx's largest default for a response's head is 4 × 8 KiB, Node's own 16 KiB. */
const LONGEST_HEAD = 64 * 1024;
/** A body's beginning is enough to see whether it is the right page; the rest is read and dropped. */
const KEPT_BODY_BYTES = 64 * 1024;

export interface ResponseReader {
  readonly push: (bytes: Buffer) => Progress;
  readonly closed: () => Progress;
  /** 0 until the status line is read. */
  readonly status: () => number;
  /** Whether the connection may carry another request (RFC 9112, section 9.3). */
  readonly keepsAlive: () => boolean;
  /** The body's beginning. */
  readonly body: () => string;
}

interface Head {
  readonly status: number;
  readonly keepsAlive: boolean;
  readonly framing: (sink: (bytes: Buffer) => void) => BodyFraming;
}

/** Reads one HTTP/1.1 response to a GET as its bytes arrive, in whatever pieces. */
export function responseReader(): ResponseReader {
  let pending: Buffer | undefined;
  let head: Head | undefined;
  let framing: BodyFraming | undefined;
  const kept: Buffer[] = [];
  let keptBytes = 0;
  const sink = (bytes: Buffer) => {
    if (keptBytes >= KEPT_BODY_BYTES) return;
    kept.push(bytes.subarray(0, KEPT_BODY_BYTES - keptBytes));
    keptBytes += bytes.length;
  };
  const push = (bytes: Buffer): Progress => {
    if (framing !== undefined) return framing.push(bytes);
    pending = pending === undefined ? bytes : Buffer.concat([pending, bytes]);
    const found = readHead(pending);
    if (found === 'more' || found === 'broken') return found;
    head = found.head;
    framing = head.framing(sink);
    return framing.push(pending.subarray(found.length));
  };
  return {
    push,
    closed: () => framing?.closed() ?? 'broken',
    status: () => head?.status ?? 0,
    keepsAlive: () => head?.keepsAlive ?? false,
    body: () => Buffer.concat(kept).toString('utf8'),
  };
}

/** The head of the final response: interim ones (1xx) are passed over. */
function readHead(bytes: Buffer, start = 0): { readonly head: Head; readonly length: number } | 'more' | 'broken' {
  const text = bytes.toString('latin1', start, start + LONGEST_HEAD);
  const end = /\r?\n\r?\n/.exec(text);
  if (end === null) return text.length < LONGEST_HEAD && 'HTTP/1.'.startsWith(text.slice(0, 7)) ? 'more' : 'broken';
  const head = parseHead(text.slice(0, end.index));
  if (head === undefined) return 'broken';
  const length = start + end.index + end[0].length;
  return head.status < 200 ? readHead(bytes, length) : { head, length };
}

function parseHead(text: string): Head | undefined {
  const line = /^HTTP\/1\.([01]) ([1-5]\d\d)/.exec(text);
  if (line === null) return undefined;
  const status = Number(line[2]);
  const framing = framingOf(text, status);
  if (framing === undefined) return undefined;
  const connection = CONNECTION.exec(text)?.[1]?.toLowerCase();
  const wanted = line[1] === '1' ? connection !== 'close' : connection === 'keep-alive';
  return { status, keepsAlive: wanted && framing !== untilClose, framing };
}

const CONNECTION = field('connection');
const TRANSFER_ENCODING = field('transfer-encoding');
const CONTENT_LENGTH = field('content-length');

function field(name: string): RegExp {
  return new RegExp(`\\n${name}:[ \\t]*(.*?)[ \\t\\r]*(?:\\n|$)`, 'i');
}

/** RFC 9112, section 6.3, for a GET. */
function framingOf(text: string, status: number): Head['framing'] | undefined {
  if (status === 204 || status === 304 || status < 200) return (sink) => byLength(0, sink);
  const coding = TRANSFER_ENCODING.exec(text)?.[1];
  if (coding !== undefined) return /\bchunked$/i.test(coding) ? chunked : untilClose;
  const length = CONTENT_LENGTH.exec(text)?.[1];
  if (length === undefined) return untilClose;
  return /^\d{1,15}$/.test(length) ? (sink) => byLength(Number(length), sink) : undefined;
}
