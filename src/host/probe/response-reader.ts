import type { BodyFraming, Progress, Sink } from './body-framing.ts';
import { type ResponseHead, responseHead } from './response-head.ts';

/** Of all heads of one response: nginx's largest default for one is 4 × 8 KiB, Node's own 16 KiB. */
const LONGEST_HEADS = 64 * 1024;

export interface ResponseReader {
  /** Takes the next bytes of the connection; their memory may be used again afterwards. */
  readonly push: (bytes: Buffer) => Progress;
  /** The peer closed the connection. */
  readonly closed: () => Progress;
  /** 0 until the status line is read. */
  readonly status: () => number;
  /** Whether the connection may carry another request (RFC 9112, section 9.3). */
  readonly keepsAlive: () => boolean;
  /** Begins anew, with the next response of the connection. */
  readonly restart: () => void;
}

/** Reads one HTTP/1.1 response to a GET as its bytes arrive, in whatever pieces, and passes those of its body on. */
export function responseReader(body: Sink = () => {}): ResponseReader {
  const readHead = headReader();
  let pending: Buffer | undefined;
  let head: ResponseHead | undefined;
  let framing: BodyFraming | undefined;
  let hasSurplus = false;
  const take = (bytes: Buffer): Progress => {
    const progress = framing?.push(bytes) ?? 'more';
    hasSurplus = progress === 'surplus';
    return progress === 'surplus' ? 'complete' : progress;
  };
  const push = (bytes: Buffer): Progress => {
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
    keepsAlive: () => head?.keepsAlive === true && !hasSurplus,
    restart: () => {
      pending = head = framing = undefined;
      hasSurplus = false;
    },
  };
}

type Found = { readonly head: ResponseHead; readonly length: number } | 'more' | 'broken';

/** Finds the head of the final response: interim ones (1xx) are passed over. */
function headReader(): (bytes: Buffer) => Found {
  /** Most servers answer the same request with the same head for a second at a time. */
  let last: { readonly text: string; readonly head: ResponseHead | undefined } | undefined;
  const parsed = (text: string) => {
    if (text !== last?.text) last = { text, head: responseHead(text) };
    return last.head;
  };
  const find = (text: string, start: number): Found => {
    const end = endOfHead(text, start);
    if (end === undefined) return isBeginning(text, start) ? 'more' : 'broken';
    const head = parsed(text.slice(start, end.from));
    if (head === undefined) return 'broken';
    return head.status < 200 ? find(text, end.to) : { head, length: end.to };
  };
  return (bytes) => find(bytes.toString('latin1', 0, LONGEST_HEADS), 0);
}

const EMPTY_LINE = /\r?\n\r?\n/g;

function endOfHead(text: string, start: number): { readonly from: number; readonly to: number } | undefined {
  EMPTY_LINE.lastIndex = start;
  const found = EMPTY_LINE.exec(text);
  return found === null ? undefined : { from: found.index, to: EMPTY_LINE.lastIndex };
}

const isBeginning = (text: string, start: number): boolean =>
  text.length < LONGEST_HEADS && 'HTTP/1.'.startsWith(text.slice(start, start + 7));
