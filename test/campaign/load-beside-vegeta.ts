import assert from 'node:assert/strict';
import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { freePort } from '../support/free-port.ts';
import { needs } from '../support/needs.ts';

// A server that is stopped for 1.2 s under 300 requests a second: by us, by vegeta, and by wrk2's definition, by which
// the time of each request counts from when it was due (https://github.com/giltene/wrk2).
const holdfast = join(import.meta.dirname, '../../bin/holdfast.js');
const [rate, seconds, stopSeconds] = [300, 10, 1.2];

const serverText =
  "const s=require('node:http').createServer((_,r)=>r.end('ok'));s.listen(+process.argv[1],'127.0.0.1',()=>console.log('ready'))";

/** The address of a server that is stopped, three seconds after `begin`. */
async function stoppedServer(t: TestContext) {
  const port = await freePort();
  const server = spawn(process.execPath, ['-e', serverText, String(port)], { stdio: ['ignore', 'pipe', 'inherit'] });
  t.after(() => server.kill('SIGKILL'));
  await once(server.stdout, 'data');
  const begin = () => {
    setTimeout(() => server.kill('SIGSTOP'), 3000);
    setTimeout(() => server.kill('SIGCONT'), 3000 + 1000 * stopSeconds);
  };
  return { url: `http://127.0.0.1:${port}/`, begin };
}

interface Percentiles {
  readonly p50: number;
  readonly p90: number;
  readonly p99: number;
}

async function json(command: string, words: readonly string[], input?: string): Promise<string> {
  const child = spawn(command, words, { stdio: ['pipe', 'pipe', 'ignore'] });
  child.stdin.end(input);
  let text = '';
  child.stdout.on('data', (piece) => {
    text += piece;
  });
  await once(child, 'close');
  return text;
}

async function ours(t: TestContext, connections: number): Promise<Percentiles> {
  const { url, begin } = await stoppedServer(t);
  const words = ['load', url, '--rate', `${rate}/s`, '--duration', `${seconds}s`, '--concurrency', `${connections}`];
  begin();
  return JSON.parse(await json(process.execPath, [holdfast, ...words, '--json'])).latency;
}

async function vegetas(t: TestContext): Promise<Percentiles> {
  const { url, begin } = await stoppedServer(t);
  const attack = ['attack', `-rate=${rate}`, `-duration=${seconds}s`, '-workers=30', '-max-workers=1000'];
  begin();
  const results = spawn('vegeta', attack, { stdio: ['pipe', 'pipe', 'inherit'] });
  results.stdin.end(`GET ${url}\n`);
  const pieces: Buffer[] = [];
  results.stdout.on('data', (piece) => pieces.push(piece));
  await once(results, 'close');
  const report = spawnSync('vegeta', ['report', '-type=json'], { input: Buffer.concat(pieces), encoding: 'utf8' });
  const { latencies } = JSON.parse(report.stdout);
  const [p50, p90, p99] = [latencies['50th'], latencies['90th'], latencies['99th']].map((nanos) => nanos / 1e9);
  return { p50, p90, p99 } as Percentiles;
}

/** Of a server that answers at once, but for the stop. */
function byDefinition(): Percentiles {
  const times = Array.from({ length: rate * seconds }, (_, index) => {
    const due = index / rate;
    return due >= 3 && due < 3 + stopSeconds ? 3 + stopSeconds - due : 0;
  }).toSorted((a, b) => a - b);
  const at = (share: number) => times[Math.ceil(share * times.length) - 1] ?? 0;
  return { p50: at(0.5), p90: at(0.9), p99: at(0.99) };
}

test('a stop of the server shows in the percentiles, whatever the number of connections', async (t) => {
  if (!needs(t, 'vegeta')) return;
  const wanted = byDefinition();
  const told = {
    'wrk2 (definition)': wanted,
    'holdfast, 30 connections': await ours(t, 30),
    'holdfast, 600 connections': await ours(t, 600),
    vegeta: await vegetas(t),
  };
  for (const [name, { p50, p90, p99 }] of Object.entries(told))
    console.log(`${name.padEnd(26)} p50 ${p50.toFixed(3)}  p90 ${p90.toFixed(3)}  p99 ${p99.toFixed(3)} s`);
  for (const connections of [30, 600]) {
    const { p90, p99 } = told[`holdfast, ${connections} connections` as keyof typeof told];
    assert.ok(Math.abs(p90 - wanted.p90) < 0.15 && Math.abs(p99 - wanted.p99) < 0.2, `${p90} ${p99}`);
  }
});
