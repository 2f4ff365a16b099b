export type BodyState = 'more' | 'complete' | 'broken';

/** How the end of a response's body is known (RFC 9112, section 6.3). */
export interface BodyFraming {
  /**
   * Takes the next bytes of the connection and passes those of the body on. `surplus`: complete, and more came after
   * it.
   */
  readonly push: (bytes: Buffer) => BodyState | 'surplus';
  /** The peer closed the connection. */
  readonly closed: () => BodyState;
}

export type Sink = (bytes: Buffer) => void;

export function byLength(length: number, sink: Sink): BodyFraming {
  let left = length;
  return {
    push: (bytes) => {
      const surplus = bytes.length - left;
      sink(surplus > 0 ? bytes.subarray(0, left) : bytes);
      left = Math.max(0, -surplus);
      return surplus > 0 ? 'surplus' : surplus === 0 ? 'complete' : 'more';
    },
    closed: () => (left === 0 ? 'complete' : 'broken'),
  };
}

export function untilClose(sink: Sink): BodyFraming {
  return {
    push: (bytes) => {
      sink(bytes);
      return 'more';
    },
    closed: () => 'complete',
  };
}

/** A line of a chunk's size, with its extensions, or of a trailer: nginx's own limit for a header line is 8 KiB. */
const longestLineBytes = 8192;

interface ChunkedState {
  /** Of the chunk that is being read, its closing CRLF included. */
  left: number;
  line: string;
  inTrailers: boolean;
}

interface Step {
  readonly rest: Buffer;
  readonly progress: BodyState;
}

/** RFC 9112, section 7.1. */
export function chunked(sink: Sink): BodyFraming {
  const state: ChunkedState = { left: 0, line: '', inTrailers: false };
  return {
    push: (bytes) => {
      let step: Step = { rest: bytes, progress: 'more' };
      while (step.progress === 'more' && step.rest.length > 0) {
        step = state.left > 0 ? takeChunk(state, step.rest, sink) : takeLine(state, step.rest);
      }
      return step.progress === 'complete' && step.rest.length > 0 ? 'surplus' : step.progress;
    },
    closed: () => 'broken',
  };
}

function takeChunk(state: ChunkedState, bytes: Buffer, sink: Sink): Step {
  const ofBody = Math.max(0, state.left - 2);
  if (ofBody > 0) sink(bytes.subarray(0, ofBody));
  const taken = Math.min(state.left, bytes.length);
  state.left -= taken;
  return { rest: bytes.subarray(taken), progress: 'more' };
}

function takeLine(state: ChunkedState, bytes: Buffer): Step {
  const end = bytes.indexOf(10);
  state.line += bytes.toString('latin1', 0, end < 0 ? bytes.length : end);
  const rest = end < 0 ? bytes.subarray(bytes.length) : bytes.subarray(end + 1);
  if (state.line.length > longestLineBytes) return { rest, progress: 'broken' };
  return { rest, progress: end < 0 ? 'more' : endLine(state) };
}

function endLine(state: ChunkedState): BodyState {
  const line = state.line.trimEnd();
  state.line = '';
  if (state.inTrailers) return line === '' ? 'complete' : 'more';
  const size = /^[0-9a-f]{1,12}(?=\s*(;|$))/i.exec(line)?.[0];
  if (size === undefined) return 'broken';
  const bytes = Number.parseInt(size, 16);
  if (bytes === 0) state.inTrailers = true;
  else state.left = bytes + 2;
  return 'more';
}
