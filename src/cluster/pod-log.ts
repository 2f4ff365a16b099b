import { OperationError } from '../host/errors.ts';
import { ApiError, type NamespacedName } from './cluster.ts';
import { afterResume, type LogPlace, placeIn, type TimedLine, timedLine } from './log-lines.ts';
import { objectName, objectPath } from './paths.ts';
import { type Connection, type Question, refusal, send } from './requests.ts';

/** The pause before the log is asked for again, after it ended or could not be read. */
const againSeconds = 1;
/**
 * A stream without a line for so long is asked for again, because a dead connection looks like a silent program. A
 * program that is silent for longer loses no lines by it.
 */
const silentSeconds = 30;

/**
 * The lines of a pod's log, as its program writes them, until the pod is gone or the signal is aborted. After a lost
 * connection it goes on behind the last line that came: the server is asked from that whole second on (`sinceTime`),
 * and what came before is passed over by the time of each line. A container that was restarted goes on with the lines
 * of the new one.
 */
export async function* followPodLog(
  connection: Connection,
  pod: NamespacedName,
  signal: AbortSignal,
): AsyncGenerator<string> {
  const { clock } = connection.host;
  let place: LogPlace | undefined;
  while (!signal.aborted) {
    const stream = linesBehind(place, streamOnce(connection, pod, place, signal));
    for await (const timed of untilLost(stream, signal)) {
      place = placeIn(place, timed);
      yield timed.text;
    }
    await clock.sleep(againSeconds, signal).catch(() => undefined);
  }
}

async function* linesBehind(place: LogPlace | undefined, lines: AsyncIterable<string>): AsyncGenerator<TimedLine> {
  const isNew = afterResume(place);
  for await (const line of lines) {
    const timed = timedLine(line);
    if (timed !== undefined && isNew(timed)) yield timed;
  }
}

/** Ends when the connection is lost or the server cannot answer now; a permanent failure is thrown. */
async function* untilLost<T>(stream: AsyncIterable<T>, signal: AbortSignal): AsyncGenerator<T> {
  try {
    yield* stream;
  } catch (error) {
    const isLost = error instanceof OperationError && !(error instanceof ApiError && isFinal(error));
    if (!signal.aborted && !isLost) throw error;
  }
}

/** The pod is gone, or may not be read. A container that has not started is a 400. */
const isFinal = ({ status }: ApiError): boolean => status === 401 || status === 403 || status === 404;

async function* streamOnce(
  connection: Connection,
  pod: NamespacedName,
  place: LogPlace | undefined,
  signal: AbortSignal,
): AsyncGenerator<string> {
  const question: Question = {
    tried: 'follow the log of',
    on: objectName('Pod', pod),
    method: 'GET',
    path: objectPath('Pod', pod, 'log'),
    query: { follow: 'true', timestamps: 'true', sinceTime: place && new Date(1000 * place.second).toISOString() },
  };
  const alive = watchdog(connection, question);
  try {
    const response = await send(connection, question, AbortSignal.any([signal, alive.signal]));
    if (response.status >= 400) throw refusal(question, response, await response.text());
    const decoder = new TextDecoder();
    let rest = '';
    for await (const chunk of response.chunks()) {
      alive.heard();
      const lines = (rest + decoder.decode(chunk, { stream: true })).split('\n');
      rest = lines.pop() ?? '';
      yield* lines;
    }
  } finally {
    alive.end();
  }
}

/** Aborts its signal when nothing was heard for `silentSeconds`. */
function watchdog({ host: { clock } }: Connection, { tried, on }: Question) {
  const silent = new AbortController();
  const done = new AbortController();
  let heardAt = clock.monotonicSeconds();
  const watch = async (): Promise<void> => {
    for (let left = silentSeconds; left > 0; left = heardAt + silentSeconds - clock.monotonicSeconds())
      await clock.sleep(left, done.signal);
    silent.abort(new OperationError({ tried, on, reason: `it was silent for ${silentSeconds} s` }));
  };
  watch().catch(() => undefined);
  return {
    signal: silent.signal,
    heard: () => {
      heardAt = clock.monotonicSeconds();
    },
    end: () => done.abort('ended'),
  };
}
