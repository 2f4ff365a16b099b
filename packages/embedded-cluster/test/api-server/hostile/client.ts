import { Agent, request as httpRequest, type IncomingMessage } from 'node:http';
import type { HostileRequest } from './requests.ts';

export interface Answered {
  readonly status: number;
  /** Of a refusal. */
  readonly text: string;
}
export interface HostileClient {
  /** Rejects if there is no HTTP answer in time. */
  answerTo(request: HostileRequest): Promise<Answered>;
  /** Cuts the watches that are still open. */
  leaveWatches(): void;
  close(): void;
}

const watchesKept = 20;
/** A watch of a kind without objects has no first piece. */
const pieceWithinMs = 20;

/** Sends requests to a port of this machine as they are, and reads as much of the answers as they say. */
export function hostileClient(port: number, answersWithinSeconds: number): HostileClient {
  const agent = new Agent({ keepAlive: true });
  const open: IncomingMessage[] = [];
  const leave = (response: IncomingMessage, when: HostileRequest['leave']) => {
    response.resume().on('error', () => undefined);
    if (when === 'at the head') response.destroy();
    else if (when === 'later') open.push(response);
    else response.once('data', () => response.destroy()).setTimeout(pieceWithinMs, () => response.destroy());
    if (open.length > watchesKept) open.shift()?.destroy();
  };
  const answerTo = ({ method, path, headers: sent, body, leave: when }: HostileRequest) =>
    new Promise<Answered>((resolve, reject) => {
      const headers = { ...sent, 'content-length': String(body.length) };
      // Only a watch is left before its end, and takes its connection with it.
      const isWatch = path.includes('watch');
      const request = httpRequest({ host: '127.0.0.1', port, method, path, headers, agent: isWatch ? false : agent });
      request.setTimeout(1000 * answersWithinSeconds, () => request.destroy(new Error('no answer in time')));
      request.on('error', reject);
      request.on('response', (response) => {
        const { statusCode: status = 0 } = response;
        if (isWatch && status === 200) {
          leave(response, when);
          resolve({ status, text: '' });
        } else textOf(response).then((text) => resolve({ status, text }), reject);
      });
      request.end(body);
    });
  const leaveWatches = () => {
    for (const one of open.splice(0)) one.destroy();
  };
  return {
    answerTo,
    leaveWatches,
    close: () => {
      leaveWatches();
      agent.destroy();
    },
  };
}

async function textOf(response: IncomingMessage): Promise<string> {
  let text = '';
  for await (const piece of response.setEncoding('latin1')) text += piece;
  return text;
}
