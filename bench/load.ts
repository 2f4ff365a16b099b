import { spawn } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { nginx } from '../test/support/nginx.ts';
import { loadAverage } from './load-average.ts';
import { type LoadClient, own, peersIn } from './load-clients.ts';
import { median } from './median.ts';

/**
 * The load generator beside hey, ab and autocannon, turn by turn, against a real nginx on loopback. Each is a process
 * of its own. The start of ours counts beside hey's, because a person waits for it; beside ab's it does not, because in
 * a run the program is there already, and ab has next to none. Then the counts of each against a server that resets 5 %
 * of the requests and answers 10 % with
 * 503. Ends with 1 when a budget is not kept, or our own counts are not the server's.
 */
const connections = 500;
const rounds = Number(process.argv[2] ?? 5);
const budgets = [
  { requests: 200_000, leastRate: 1.5, mostCpu: 0.6 },
  { requests: 20_000, leastRate: 0.8, mostCpu: Number.POSITIVE_INFINITY },
  { requests: 2_000, leastRate: 0, mostCpu: Number.POSITIVE_INFINITY },
];
/**
 * The load is the eighth scenario of a run, which has probed the application for more than ten minutes by then, each
 * second by a new connection and a kept one, and ten times a second by new ones (`monitor.edges`) while a window was
 * open. Whole runs on a real cluster had made 8,300 of these before their load.
 */
const before = { HOLDFAST_PROBES: '600', HOLDFAST_EDGES: '6000' };
const [inARun, bare] = ['in a run', 'sockets alone'];
/** Of the load itself, without the start of the program and what it did before. */
const besideAb = { leastRate: 1, mostCpu: 1.2 };

interface Measured {
  readonly perSecond: number;
  readonly cpuSeconds: number;
  readonly counts: string;
  /** Of ours, without its start. */
  readonly itself?: Pick<Measured, 'perSecond' | 'cpuSeconds'>;
}

/** User and system time are those of the shell's own `times`: of the shell, then of what it ran. */
async function run(client: LoadClient, requests: number, url: string, more = {}): Promise<Measured> {
  const begun = performance.now();
  const env = { ...process.env, ...more };
  const child = spawn('bash', ['-c', '"$@"; times >&2', 'bash', ...client.command(requests, connections, url)], {
    env,
  });
  const [stdout, stderr] = await Promise.all([textOf(child.stdout), textOf(child.stderr)]);
  const seconds = (performance.now() - begun) / 1000;
  const times = [...stderr.matchAll(/(\d+)m([\d.]+)s/g)].map(
    ([, minutes, rest]) => 60 * Number(minutes) + Number(rest),
  );
  const cpuSeconds = times.slice(-4).reduce((sum, time) => sum + time, 0);
  const [, own, ownCpu] = /^load ([\d.]+) ([\d.]+)$/m.exec(stderr) ?? [];
  const itself = { perSecond: requests / Number(own), cpuSeconds: Number(ownCpu) };
  const measured = { perSecond: requests / seconds, cpuSeconds, counts: client.counts(stdout) };
  return own === undefined ? measured : { ...measured, itself };
}

async function textOf(stream: AsyncIterable<Uint8Array>): Promise<string> {
  return Buffer.concat(await Array.fromAsync(stream, (chunk) => Buffer.from(chunk))).toString();
}

/** The ratios are those of the clients in one round, so that a busy moment of the machine meets all. */
async function compare(clients: readonly LoadClient[], url: string, budget: (typeof budgets)[number]): Promise<void> {
  const { requests, leastRate, mostCpu } = budget;
  console.log(`${requests} requests at ${connections} connections, median of ${rounds} rounds (${loadAverage()}):`);
  const limit = `at least ${leastRate} × hey's rate${Number.isFinite(mostCpu) ? `, at most ${mostCpu} × its CPU` : ''}`;
  const results: Record<string, Measured>[] = [];
  for (let round = 0; round < rounds; round += 1) {
    const measured: Record<string, Measured> = {};
    for (const client of clients) measured[client.name] = await run(client, requests, url);
    measured[inARun] = await run(own, requests, url, before);
    measured[bare] = await run(own, requests, url, { ...before, HOLDFAST_BARE: 'yes' });
    results.push(measured);
  }
  for (const { name } of clients) {
    const ofRounds = (value: (one: Measured, hey: Measured) => number) =>
      median(results.flatMap(({ [name]: one, hey }) => (one && hey ? [value(one, hey)] : [])));
    const [perSecond, cpu] = [ofRounds((one) => one.perSecond), ofRounds((one) => one.cpuSeconds)];
    const [rate, share] = [
      ofRounds((one, hey) => one.perSecond / hey.perSecond),
      ofRounds((one, hey) => one.cpuSeconds / hey.cpuSeconds),
    ];
    console.log(
      `  ${name.padEnd(10)} ${perSecond.toFixed(0).padStart(6)}/s, ${cpu.toFixed(2)} s of CPU; ${rate.toFixed(2)} × hey's rate, ${share.toFixed(2)} × its CPU`,
    );
    if (name === own.name) expect(rate >= leastRate && share <= mostCpu, limit);
  }
  compareWithAb(results);
}

/** In the load itself; Node's sockets alone show what of the distance to `ab` is not ours. */
function compareWithAb(results: readonly Record<string, Measured>[]): void {
  const all = results.flatMap(({ [inARun]: ours, [bare]: sockets, 'ab -k': ab }) =>
    ours?.itself && sockets?.itself && ab ? [{ ours: ours.itself, sockets: sockets.itself, ab }] : [],
  );
  if (all.length === 0) return;
  const ratio = (of: (one: (typeof all)[number]) => readonly [Omit<Measured, 'counts'>, Omit<Measured, 'counts'>]) => ({
    rate: median(all.map((one) => of(one)[0].perSecond / of(one)[1].perSecond)),
    cpu: median(all.map((one) => of(one)[0].cpuSeconds / of(one)[1].cpuSeconds)),
  });
  const toAb = ratio(({ ours, ab }) => [ours, ab]);
  const socketsToAb = ratio(({ sockets, ab }) => [sockets, ab]);
  const toSockets = ratio(({ ours, sockets }) => [ours, sockets]);
  const perSecond = median(all.map(({ ours }) => ours.perSecond));
  const text = ({ rate, cpu }: typeof toAb, of: string) =>
    `${rate.toFixed(2)} × the rate of ${of}, ${cpu.toFixed(2)} × its CPU`;
  console.log(
    `  holdfast in a run: ${perSecond.toFixed(0)}/s; ${text(toAb, 'ab -k')}; ${text(toSockets, "Node's sockets alone")}`,
  );
  console.log(`  Node's sockets alone: ${text(socketsToAb, 'ab -k')}`);
  const { leastRate, mostCpu } = besideAb;
  expect(
    toAb.rate >= leastRate && toAb.cpu <= mostCpu,
    `at least ${leastRate} × the rate of ab -k, at most ${mostCpu} × its CPU`,
  );
}

function expect(met: boolean, budget: string): void {
  if (met) return;
  console.log(`  not met: ${budget}`);
  process.exitCode = 1;
}

/** Every 20th request is reset, two more of 20 are answered with 503. */
async function compareCounts(clients: readonly LoadClient[], requests: number): Promise<void> {
  console.log(`${requests} requests, of which the server resets 5 % and answers 10 % with 503:`);
  for (const client of clients) {
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
    const { counts } = await run(client, requests, `http://127.0.0.1:${(server.address() as AddressInfo).port}/`);
    server.close();
    server.closeAllConnections();
    console.log(`  ${client.name.padEnd(10)} says ${counts || 'nothing'}; the server made ${JSON.stringify(made)}`);
    if (client === own) expect(counts === JSON.stringify(made) && seen === requests, `${requests} counted as made`);
  }
}

const folder = mkdtempSync(join(tmpdir(), 'holdfast-bench-'));
const server = await nginx(folder);
try {
  await server.start();
  const clients = [own, ...peersIn(join(folder, 'clients'))];
  if (!clients.some(({ name }) => name === 'hey')) throw new Error('without hey there is nothing to compare with');
  for (const budget of budgets) await compare(clients, `http://127.0.0.1:${server.port}/`, budget);
  await compareCounts(clients, 20_000);
} finally {
  await server.stop();
  rmSync(folder, { recursive: true });
}
