import type { BodyFraming, BodyState, Sink } from './body-framing.ts';
import { type ResponseHead, responseHead } from './response-head.ts';

/** The limit of all heads of one response: nginx's default for one is 4 × 8 KiB, Node's 16 KiB. */
const longestHeadsBytes = 64 * 1024;

export interface ResponseReader {
  /** Takes the next bytes of the connection; their memory may be reused afterwards. */
  readonly push: (bytes: Buffer) => BodyState;
  /** The peer closed the connection. */
  readonly closed: () => BodyState;
  /** 0 until the status line is read. */
  readonly status: () => number;
  /** Where a redirect leads. */
  readonly location: () => string | undefined;
  /** How the body is encoded. */
  readonly codings: () => readonly string[];
  /** Whether the connection may carry another request (RFC 9112, section 9.3). */
  readonly keepsAlive: () => boolean;
  /** Starts again with the next response of the connection. */
  readonly restart: () => void;
}

export interface WholeReader extends ResponseReader {
  /** The text of the head; empty until it is read. */
  readonly head: () => string;
}

/** Reads one HTTP/1.1 response from pieces of any size, and passes the bytes of its body on. */
export function responseReader(body: Sink = () => {}, method = 'GET'): WholeReader {
  const readHead = headReader(method);
  let pending: Buffer | undefined;
  let head: ResponseHead | undefined;
  let framing: BodyFraming | undefined;
  let hasSurplus = false;
  const take = (bytes: Buffer): BodyState => {
    const progress = framing?.push(bytes) ?? 'more';
    hasSurplus = progress === 'surplus';
    return progress === 'surplus' ? 'complete' : progress;
  };
  const push = (bytes: Buffer): BodyState => {
    if (framing !== undefined) return take(bytes);
    const whole = pending === undefined ? bytes : Buffer.concat([pending, bytes]);
    const found = readHead(whole);
    if (found === 'broken') return found;
    if (found === 'more') pending = Buffer.from(whole);
    if (found === 'more') return found;
    head = found.head;
    framing = head.framing(body);
    return take(whole.subarray(found.length));
  };
  return {
    push,
    closed: () => framing?.closed() ?? 'broken',
    status: () => head?.status ?? 0,
    location: () => head?.location,
    codings: () => head?.codings ?? [],
    head: () => head?.text ?? '',
    keepsAlive: () => head?.keepsAlive === true && !hasSurplus,
    restart: () => {
      pending = head = framing = undefined;
      hasSurplus = false;
    },
  };
}

type Found = { readonly head: ResponseHead; readonly length: number } | 'more' | 'broken';

/** Finds the head of the final response; interim responses (1xx) are skipped. */
function headReader(method: string): (bytes: Buffer) => Found {
  /** The last head, parsed: most servers repeat the same head for a second. */
  let last: { readonly text: string; readonly head: ResponseHead | undefined } | undefined;
  const parsed = (text: string) => {
    if (text !== last?.text) last = { text, head: responseHead(text, method) };
    return last.head;
  };
  const headAt = (text: string, start: number): Found => {
    const end = endOfHead(text, start);
    if (end === undefined) return isBeginning(text, start) ? 'more' : 'broken';
    const head = parsed(text.slice(start, end.from));
    return head === undefined ? 'broken' : { head, length: end.to };
  };
  const find = (text: string): Found => {
    let found = headAt(text, 0);
    while (typeof found === 'object' && found.head.status < 200) found = headAt(text, found.length);
    return found;
  };
  return (bytes) => find(bytes.toString('latin1', 0, longestHeadsBytes));
}

const emptyLine = /\r?\n\r?\n/g;

function endOfHead(text: string, start: number): { readonly from: number; readonly to: number } | undefined {
  emptyLine.lastIndex = start;
  const found = emptyLine.exec(text);
  return found === null ? undefined : { from: found.index, to: emptyLine.lastIndex };
}

const isBeginning = (text: string, start: number): boolean =>
  text.length < longestHeadsBytes && 'HTTP/1.'.startsWith(text.slice(start, start + 7));
