import type { Socket } from 'node:net';
import type { ProbeError } from '../host.ts';
import { codeOf } from '../system-error.ts';
import type { BodyState } from './body-framing.ts';
import { kindOfBreak } from './exchange.ts';
import { allFields } from './response-head.ts';
import { responseReader } from './response-reader.ts';

/** The answer that comes on a connection: its head, and its body as it is wanted. */
export interface IncomingAnswer {
  /** Undefined once the head is read; else why there is none. */
  readonly head: () => Promise<ProbeError | undefined>;
  readonly status: () => number;
  readonly headers: () => Readonly<Record<string, string>>;
  /** Throws if the body breaks off. */
  readonly body: () => AsyncIterable<Uint8Array>;
}

export function incomingAnswer(socket: Socket, method: string): IncomingAnswer {
  const pieces: Buffer[] = [];
  const reader = responseReader((bytes) => pieces.push(Buffer.from(bytes)), method);
  const incoming: AsyncIterator<Buffer, undefined> = socket[Symbol.asyncIterator]();
  let [progress, isClosed]: [BodyState, boolean] = ['more', false];
  const readOn = async () => {
    const { value } = await incoming.next();
    isClosed = value === undefined;
    progress = value === undefined ? reader.closed() : reader.push(value);
  };
  const head = async (): Promise<ProbeError | undefined> => {
    while (reader.status() === 0 && progress === 'more') await readOn();
    if (reader.status() !== 0) return undefined;
    return isClosed ? 'reset' : 'protocol';
  };
  return {
    head: () => head().catch((error) => kindOfBreak(codeOf(error), 'reset')),
    status: reader.status,
    headers: () => allFields(reader.head()),
    body: async function* () {
      while (pieces.length > 0 || progress === 'more') {
        yield* pieces.splice(0);
        if (progress === 'more') await readOn();
      }
      requireWhole(progress);
    },
  };
}

function requireWhole(progress: BodyState): void {
  if (progress === 'broken') throw new Error('it ended too early, or is not HTTP');
}
