import assert from 'node:assert/strict';
import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { existsSync, openSync, readFileSync } from 'node:fs';
import type { TestContext } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Analysis, AnalyzedOutage } from '../../src/validation/downtime/analyze.ts';
import type { OutageKind } from '../../src/validation/downtime/outage-kind.ts';
import { type Nginx, nginx } from './nginx.ts';
import { type OwnNames, ownNames } from './own-names.ts';
import { temporaryFolder } from './temporary-folder.ts';

export type Disturbance = 'refused' | '503' | 'hang' | 'dns';

export interface Plan {
  readonly intervalSeconds: number;
  readonly timeoutSeconds: number;
  readonly slowSeconds: number;
  readonly quietSeconds: number;
  /** In this order, with a quiet time before each and after the last. */
  readonly outages: readonly { readonly kind: Disturbance; readonly seconds: number }[];
}

/** An outage as the script caused it: it began and ended between the two instants of each pair (epoch milliseconds). */
export interface Caused {
  readonly kind: Disturbance;
  readonly began: readonly [number, number];
  readonly ended: readonly [number, number];
}

export interface Observed {
  readonly caused: readonly Caused[];
  readonly analysis: Analysis;
  /** Of a loop around date and curl, at the same time. */
  readonly curlAnalysis: Analysis;
}

const HOST = 'app.holdfast.test';
const holdfast = `${import.meta.dirname}/../../bin/holdfast.js`;

/**
 * Disturbs a real nginx as planned, while `monitor` and a curl loop watch it; undefined, and the test skipped, where
 * names cannot be taken away.
 */
export async function observeOutages(
  t: TestContext,
  plan: Plan,
  dateFormat: readonly string[],
): Promise<Observed | undefined> {
  const folder = temporaryFolder(t);
  const names = ownNames(folder);
  if (names === undefined) {
    if (process.env.CI) throw new Error('this machine does not allow a mount namespace');
    t.skip('this machine does not allow a mount namespace');
    return undefined;
  }
  const server = await nginx(folder);
  const url = `http://${HOST}:${server.port}/`;
  const there = `127.0.0.1 ${HOST}\n`;
  names.setHosts(there);
  await server.start();
  t.after(() => {
    server.thaw();
    return server.stop();
  });
  const seconds = (value: number) => `${Math.round(value * 1000)}ms`;
  const flags = [
    '--interval',
    seconds(plan.intervalSeconds),
    '--timeout',
    seconds(plan.timeoutSeconds),
    '--slow',
    seconds(plan.slowSeconds),
  ];
  const monitor = watching(
    t,
    names,
    [process.execPath, holdfast, 'monitor', url, '--log', `${folder}/downtime.log`, '--quiet', ...flags],
    'ignore',
  );
  const loop = `while :; do date ${dateFormat.join(' ')}; curl -s -o /dev/null -m ${plan.timeoutSeconds} -w '%{http_code} %{time_total}\\n' ${url}; sleep ${plan.intervalSeconds}; done`;
  const curl = watching(t, names, ['sh', '-c', loop], openSync(`${folder}/curl.log`, 'a'));
  await goodSeen(`${folder}/downtime.log`, / 200 /);
  await goodSeen(`${folder}/curl.log`, /^200 /m);
  const caused: Caused[] = [];
  for (const { kind, seconds: length } of plan.outages) {
    await sleep(plan.quietSeconds * 1000);
    caused.push(await disturb(server, (on) => names.setHosts(on ? '' : there), kind, length));
  }
  await sleep(plan.quietSeconds * 1000);
  const ended = [monitor, curl].map((child) => new Promise((resolve) => child.once('exit', resolve)));
  monitor.kill('SIGTERM');
  if (curl.pid !== undefined) process.kill(-curl.pid, 'SIGTERM');
  await Promise.all(ended);
  return { caused, analysis: analysisOf(`${folder}/downtime.log`), curlAnalysis: analysisOf(`${folder}/curl.log`) };
}

/** A program that starts late would miss the first outage. */
async function goodSeen(path: string, line: RegExp): Promise<void> {
  for (let tries = 0; tries < 1200; tries += 1) {
    if (existsSync(path) && line.test(readFileSync(path, 'utf8'))) return;
    await sleep(50);
  }
  throw new Error(`${path} shows no good answer after a minute`);
}

function watching(
  t: TestContext,
  names: OwnNames,
  command: readonly string[],
  stdout: 'ignore' | number,
): ChildProcess {
  const [program = '', ...words] = [...names.prefix, ...command];
  const child = spawn(program, words, { stdio: ['ignore', stdout, 'inherit'], detached: true });
  t.after(() => child.kill('SIGKILL'));
  return child;
}

async function disturb(
  server: Nginx,
  hideName: (on: boolean) => void,
  kind: Disturbance,
  seconds: number,
): Promise<Caused> {
  const changes: Record<Disturbance, { readonly begin: () => unknown; readonly end: () => unknown }> = {
    refused: { begin: server.stop, end: server.start },
    '503': { begin: () => server.answer503(true), end: () => server.answer503(false) },
    hang: { begin: server.freeze, end: server.thaw },
    dns: { begin: () => hideName(true), end: () => hideName(false) },
  };
  const timed = async (change: () => unknown): Promise<readonly [number, number]> => {
    const from = Date.now();
    await change();
    return [from, Date.now()];
  };
  const began = await timed(changes[kind].begin);
  await sleep(seconds * 1000);
  return { kind, began, ended: await timed(changes[kind].end) };
}

function analysisOf(path: string): Analysis {
  try {
    return JSON.parse(execFileSync(process.execPath, [holdfast, 'analyze', path, '--json'], { encoding: 'utf8' }));
  } catch (error) {
    // Exit code 1 says that there were outages.
    return JSON.parse((error as { readonly stdout: string }).stdout);
  }
}

/**
 * First what is sure to be seen, then what may be at its beginning and end: a server that dies resets the request that
 * is under way.
 */
const kindsOf: Record<Disturbance, readonly [OutageKind, ...OutageKind[]]> = {
  refused: ['refused', 'reset'],
  '503': ['503'],
  hang: ['timeout', 'slow'],
  dns: ['dns'],
};

/** Demands that each outage was found, named, and bounded: lower ≤ true ≤ upper. */
export function assertFound({ caused, analysis }: Observed): void {
  for (const outage of caused) {
    const [found, ...more] = overlapping(analysis, outage);
    assert.ok(found !== undefined, `${outage.kind} was not found`);
    assert.deepEqual(more, [], `${outage.kind} was found in parts`);
    assert.ok(
      found.kinds.includes(kindsOf[outage.kind][0]) && found.kinds.every((kind) => kindsOf[outage.kind].includes(kind)),
      `${outage.kind}: ${found.kinds}`,
    );
    const longest = (outage.ended[1] - outage.began[0]) / 1000;
    const shortest = (outage.ended[0] - outage.began[1]) / 1000;
    assert.ok(found.lowerSeconds <= longest, `${outage.kind}: lower ${found.lowerSeconds} s, true ${longest} s`);
    assert.ok(found.upperSeconds >= shortest, `${outage.kind}: upper ${found.upperSeconds} s, true ${shortest} s`);
  }
}

/** Outages that the script did not cause, except slow answers of a busy machine. */
export function unexplained({ caused, analysis }: Observed): readonly AnalyzedOutage[] {
  const explained = new Set(caused.flatMap((outage) => overlapping(analysis, outage)));
  return analysis.outages.filter((outage) => !explained.has(outage) && outage.kinds.some((kind) => kind !== 'slow'));
}

export function overlapping({ outages, log }: Analysis, { began, ended }: Caused): readonly AnalyzedOutage[] {
  const blurMs = log.format === 'curl' ? 1000 : 0;
  return outages.filter(({ from, to }) => Date.parse(from) <= ended[1] + blurMs && Date.parse(to) >= began[0] - blurMs);
}
