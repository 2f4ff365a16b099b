import { appendFileSync } from 'node:fs';
import { Agent, get } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Probed } from './probed.ts';

/**
 * `prober.ts URL FILE`: five requests a second on average, each on a connection and with a look-up of its own, until it
 * is killed; one JSON line each. It shares no code with the product, so that an error in the product's monitor is not
 * in both.
 */
const [, , url = '', file = ''] = process.argv;
/**
 * Drawn anew each time: at 5 Hz sharp, with the product's 1 Hz, a balancer that takes turns between two targets gave
 * the product always the same one.
 */
const pauseSeconds = () => 0.1 + 0.2 * Math.random();
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

for (;;) {
  probe();
  await sleep(pauseSeconds() * 1000);
}
