import { appendFileSync } from 'node:fs';
import { Agent, get } from 'node:http';
import { setInterval } from 'node:timers';
import type { Probed } from './probed.ts';

/**
 * `prober.ts URL FILE`: five requests a second, each on a connection and with a look-up of its own, until it is killed; one JSON line each.
 * It shares no code with the product, so that an error in the product's monitor is not in both.
 */
const [, , url = '', file = ''] = process.argv;
const everySeconds = 0.2;
const timeoutSeconds = 10;

function probe(): void {
  const at = Date.now();
  const began = performance.now();
  let isDone = false;
  const finish = (status: number, error?: string) => {
    if (isDone) return;
    isDone = true;
    clearTimeout(limit);
    const sample: Probed = { at, status, seconds: (performance.now() - began) / 1000, ...(error && { error }) };
    appendFileSync(file, `${JSON.stringify(sample)}\n`);
  };
  const agent = new Agent({ keepAlive: false });
  const request = get(url, { agent }, (response) => {
    response.resume();
    response.on('end', () => finish(response.statusCode ?? 0));
    response.on('error', (error) => finish(0, error.message));
  });
  request.on('error', (error) => finish(0, error.message));
  const limit = setTimeout(() => {
    finish(0, 'timeout');
    request.destroy();
  }, timeoutSeconds * 1000);
}

setInterval(probe, everySeconds * 1000);
