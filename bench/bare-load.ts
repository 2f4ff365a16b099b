import { connect } from 'node:net';
import type { LoadPlan } from '../src/host/load/load-plan.ts';
import { destination, httpAddress } from '../src/host/probe/destination.ts';

/**
 * The same requests on the same number of connections by nothing but Node's sockets, into one buffer: no time limit, no
 * latency, no error, no answer read, but for its length and the first digit of its status. It opens all connections at
 * once.
 */
export async function load({ url, requests, concurrency }: LoadPlan) {
  const address = httpAddress(url);
  const { hostname: host, port } = address;
  const request = destination({ url: address, headers: [] }, {}).request.reused;
  const answerBytes = await lengthOf(Number(port), host, request);
  const job = { request, answerBytes, left: requests, good: 0, buffer: Buffer.allocUnsafeSlow(64 * 1024) };
  const lanes = Array.from({ length: Math.min(requests, concurrency) }, () => lane(job, Number(port), host));
  await Promise.all(lanes);
  return { statuses: { 200: job.good }, errors: {} };
}

interface Job {
  readonly request: string;
  readonly answerBytes: number;
  readonly buffer: Buffer;
  left: number;
  good: number;
}

function lane(job: Job, port: number, host: string): Promise<void> {
  const { buffer, request, answerBytes } = job;
  return new Promise((resolve) => {
    let bytes = 0;
    const next = () => {
      if (job.left-- > 0) return socket.write(request);
      socket.destroy();
      resolve();
    };
    const callback = (length: number) => {
      bytes += length;
      if (bytes < answerBytes) return true;
      bytes = 0;
      if (buffer[9] === 0x32) job.good += 1;
      next();
      return true;
    };
    const socket = connect({ host, port, autoSelectFamily: false, onread: { buffer, callback } });
    next();
  });
}

/** Of an answer, which all others are like. */
function lengthOf(port: number, host: string, request: string): Promise<number> {
  return new Promise((resolve) => {
    let text = '';
    const socket = connect({ host, port }, () => socket.write(request));
    socket.on('data', (bytes) => {
      text += bytes.toString('latin1');
      const end = text.indexOf('\r\n\r\n');
      const body = Number(/content-length: (\d+)/i.exec(text)?.[1]);
      if (end < 0 || text.length < end + 4 + body) return;
      socket.destroy();
      resolve(end + 4 + body);
    });
  });
}
