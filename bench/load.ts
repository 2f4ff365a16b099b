import { spawn, spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { nginx } from '../test/support/nginx.ts';
import { median } from './median.ts';

/**
 * The load generator beside hey, ab and autocannon, turn by turn, against a real nginx on loopback; each a process of its own. Budgets
 * against hey: 200,000 requests at 500 connections at 1.5 × its rate with 0.6 × its CPU, 20,000 at 0.8 × its rate. Then what each
 * counts of a server that resets 5 % of the requests and answers 10 % with 503.
 */
const connections = 500;
const rounds = Number(process.argv[2] ?? 3);

interface Tool {
  readonly name: string;
  readonly command: (requests: number, url: string) => readonly string[];
  /** What it says of the requests: by status, and without an answer. */
  readonly counts: (output: string) => string;
}
interface Measured {
  readonly perSecond: number;
  readonly cpuSeconds: number;
  readonly counts: string;
}

const generator = join(import.meta.dirname, '../src/host/load/load.ts');
const ownProgram = `
  import { load } from ${JSON.stringify(generator)};
  const [requests, url] = process.argv.slice(1);
  const { statuses, errors } = await load({ url, requests: Number(requests), concurrency: ${connections}, timeoutSeconds: 10 });
  console.log(JSON.stringify({ ...statuses, ...errors }));`;

const own: Tool = {
  name: 'holdfast',
  command: (requests, url) => [process.execPath, '--input-type=module', '-e', ownProgram, String(requests), url],
  counts: (output) => output.trim(),
};
const hey: Tool = {
  name: 'hey',
  command: (requests, url) => ['hey', '-n', String(requests), '-c', String(connections), url],
  counts: (output) => {
    const statuses = [...output.matchAll(/\[(\d+)\]\s+(\d+) responses/g)].map(
      ([, status, count]) => `${status}: ${count}`,
    );
    const errors = [...output.matchAll(/\[(\d+)\]\s+(?=Get|read|dial)/g)].reduce(
      (sum, [, count]) => sum + Number(count),
      0,
    );
    return [...statuses, `errors: ${errors}`].join(', ');
  },
};
const ab: Tool = {
  name: 'ab -k',
  command: (requests, url) => ['ab', '-q', '-k', '-r', '-n', String(requests), '-c', String(connections), url],
  counts: (output) =>
    [...output.matchAll(/^(Failed requests|Non-2xx responses):\s+(\d+)/gm)]
      .map(([, what, count]) => `${what} ${count}`)
      .join(', '),
};

/** Not a dependency: installed for this run, in a folder of its own; undefined when that is not possible. */
function autocannonIn(folder: string): Tool | undefined {
  const { status } = spawnSync('npm', ['install', '--prefix', folder, '--no-audit', '--no-fund', 'autocannon@8'], {
    stdio: 'ignore',
  });
  if (status !== 0) return undefined;
  const program = join(folder, 'node_modules/autocannon/autocannon.js');
  return {
    name: 'autocannon',
    command: (requests, url) => [
      process.execPath,
      program,
      '-a',
      String(requests),
      '-c',
      String(connections),
      '-j',
      url,
    ],
    counts: (output) => {
      const { '2xx': good, '5xx': bad, errors, resets } = JSON.parse(output);
      return JSON.stringify({ '2xx': good, '5xx': bad, errors, resets });
    },
  };
}

const isThere = ({ command }: Tool): boolean => spawnSync('sh', ['-c', `command -v ${command(1, '')[0]}`]).status === 0;

/** Whole processes, their start included: that is what a person waits for. */
async function run(tool: Tool, requests: number, url: string): Promise<Measured> {
  const words = ['/usr/bin/time', '-f', 'cpu %U %S', ...tool.command(requests, url)];
  const begun = performance.now();
  const child = spawn(words[0] ?? '', words.slice(1));
  const [stdout, stderr] = await Promise.all([textOf(child.stdout), textOf(child.stderr)]);
  const seconds = (performance.now() - begun) / 1000;
  const [, user = 0, system = 0] = (/cpu ([\d.]+) ([\d.]+)/.exec(stderr) ?? []).map(Number);
  return { perSecond: requests / seconds, cpuSeconds: user + system, counts: tool.counts(stdout) };
}

async function textOf(stream: AsyncIterable<Uint8Array>): Promise<string> {
  return Buffer.concat(await Array.fromAsync(stream, (chunk) => Buffer.from(chunk))).toString();
}

async function compare(tools: readonly Tool[], requests: number, url: string): Promise<void> {
  const results = new Map(tools.map((tool) => [tool.name, [] as Measured[]]));
  for (let round = 0; round < rounds; round += 1)
    for (const tool of tools) results.get(tool.name)?.push(await run(tool, requests, url));
  const medianOf = (name: string, of: (one: Measured) => number) => median((results.get(name) ?? []).map(of));
  const [rate, cpu] = [(one: Measured) => one.perSecond, (one: Measured) => one.cpuSeconds];
  console.log(`${requests} requests at ${connections} connections, median of ${rounds}:`);
  for (const { name } of tools) {
    const [perSecond, seconds] = [medianOf(name, rate), medianOf(name, cpu)];
    const [faster, share] = [perSecond / medianOf('hey', rate), seconds / medianOf('hey', cpu)];
    console.log(
      `  ${name.padEnd(10)} ${perSecond.toFixed(0).padStart(6)}/s, ${seconds.toFixed(2)} s of CPU; ${faster.toFixed(2)} × hey's rate, ${share.toFixed(2)} × its CPU`,
    );
  }
}

/** Every 20th request is reset, two more of 20 are answered with 503. */
async function compareCounts(tools: readonly Tool[]): Promise<void> {
  for (const tool of tools) {
    const made = { 200: 0, 503: 0, reset: 0 };
    let seen = 0;
    const server = createServer((request, response) => {
      seen += 1;
      if (seen % 20 === 7) {
        made.reset += 1;
        request.socket.resetAndDestroy();
      } else if (seen % 10 === 3) {
        made[503] += 1;
        response.writeHead(503).end();
      } else {
        made[200] += 1;
        response.end('welcome');
      }
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    const { counts } = await run(tool, 20_000, `http://127.0.0.1:${(server.address() as AddressInfo).port}/`);
    server.close();
    server.closeAllConnections();
    console.log(`  ${tool.name.padEnd(10)} says ${counts || 'nothing'}; the server made ${JSON.stringify(made)}`);
  }
}

const folder = mkdtempSync(join(tmpdir(), 'holdfast-bench-'));
const server = await nginx(folder);
try {
  await server.start();
  const installed = [own, hey, ab].filter(isThere);
  if (!installed.includes(hey)) throw new Error('hey is not installed: apt-get install hey apache2-utils');
  const autocannon = autocannonIn(join(folder, 'npm'));
  const tools = autocannon === undefined ? installed : [...installed, autocannon];
  for (const requests of [200_000, 20_000]) await compare(tools, requests, `http://127.0.0.1:${server.port}/`);
  console.log('20000 requests, of which the server resets 5 % and answers 10 % with 503:');
  await compareCounts(tools);
} finally {
  await server.stop();
  rmSync(folder, { recursive: true });
}
