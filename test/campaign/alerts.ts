import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync, writeFileSync } from 'node:fs';
import type { RequestListener } from 'node:http';
import { createServer } from 'node:https';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { certificateAuthority } from '../support/certificates.ts';
import { freePort } from '../support/free-port.ts';
import { answering, listening } from '../support/loopback-server.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';

// A real Prometheus scrapes real monitors, one a situation, with the alert rules of packaging/prometheus at a fifteenth
// of their times, and none of them longer than a part of the course.
const faster = 15;
const longestSeconds = 60;
const holdfast = join(import.meta.dirname, '../../bin/holdfast.js');
const rules = join(import.meta.dirname, '../../packaging/prometheus/holdfast-alerts.yml');
const courseSeconds = 150;

interface Situation {
  /** How long a request that comes at that second takes, and its status. */
  readonly answer: (second: number, count: number) => { readonly status: number; readonly seconds: number };
  readonly signal?: readonly (readonly [second: number, signal: NodeJS.Signals])[];
  /** Its server has a certificate that ends in two days. */
  readonly isSecure?: true;
  readonly fires: readonly string[];
}
const good = { status: 200, seconds: 0.002 };
const bad = { status: 503, seconds: 0.002 };
const situations: Readonly<Record<string, Situation>> = {
  healthy: { answer: () => good, fires: [] },
  whole: {
    answer: (second) => (second >= 30 && second < 42 ? bad : good),
    fires: ['HoldfastDown', 'HoldfastOutage'],
  },
  partial: { answer: (_, count) => (count % 5 === 0 ? bad : good), fires: ['HoldfastOutage', 'HoldfastPartlyDown'] },
  slow: { answer: () => ({ status: 200, seconds: 0.6 }), fires: ['HoldfastSlow'] },
  silent: { answer: () => good, signal: [[40, 'SIGKILL']], fires: ['HoldfastSilent'] },
  // Shorter than what the rules at a fifteenth call silent.
  stalled: {
    answer: () => ({ status: 200, seconds: 0.06 }),
    signal: [40, 50, 60].flatMap((second) => [[second, 'SIGSTOP'] as const, [second + 3, 'SIGCONT'] as const]),
    fires: [],
  },
  certificate: { answer: () => good, isSecure: true, fires: ['HoldfastCertificateEnds'] },
};

test('a real Prometheus fires each alert in its situation, and no other', { timeout: 300_000 }, async (t) => {
  const folder = temporaryFolder(t);
  const targets = await Promise.all(Object.entries(situations).map(([name, one]) => monitored(t, folder, name, one)));
  const address = await startPrometheus(t, folder, targets);
  await sleep(1000 * courseSeconds);
  const query = encodeURIComponent('count by (alertname, job) (count_over_time(ALERTS{alertstate="firing"}[5m]))');
  const answer = await fetch(`${address}/api/v1/query?query=${query}`);
  const { data } = (await answer.json()) as {
    data: { result: { metric: { alertname: string; job: string } }[] };
  };
  const fired = (job: string) =>
    data.result.flatMap(({ metric }) => (metric.job === job ? [metric.alertname] : [])).toSorted();
  console.log(tableOf(fired));
  for (const [job, { fires }] of Object.entries(situations)) assert.deepEqual(fired(job), fires, job);
});

/** Rule by situation. */
function tableOf(fired: (job: string) => readonly string[]): string {
  const jobs = Object.keys(situations);
  const alerts = [...new Set(Object.values(situations).flatMap(({ fires }) => fires))].toSorted();
  const rows = alerts.map((alert) => [alert, ...jobs.map((job) => (fired(job).includes(alert) ? 'fired' : '-'))]);
  const lines = [['Rule', ...jobs], jobs.concat('').map(() => '---'), ...rows];
  return lines.map((cells) => `| ${cells.join(' | ')} |`).join('\n');
}

/** Starts a server that goes through the situation, and its monitor; its job and its port. */
async function monitored(t: TestContext, folder: string, name: string, { answer, signal = [], isSecure }: Situation) {
  const begunAt = Date.now();
  let count = 0;
  const listener: RequestListener = (_, response) => {
    const { status, seconds } = answer((Date.now() - begunAt) / 1000, count++);
    setTimeout(() => response.writeHead(status).end('welcome'), 1000 * seconds);
  };
  const { url, words: more } = isSecure
    ? await secureServer(t, folder, listener)
    : { url: await answering(t, listener), words: [] };
  const port = await freePort();
  const words = ['monitor', url, ...more, '--interval', '100ms', '--no-reused', '--quiet', '--metrics', `:${port}`];
  const child = spawn(process.execPath, [holdfast, ...words, '--log', join(folder, `${name}.log`)], {
    stdio: 'ignore',
  });
  const timers = signal.map(([second, one]) => setTimeout(() => child.kill(one), 1000 * second));
  t.after(() => {
    timers.forEach(clearTimeout);
    child.kill('SIGKILL');
  });
  return { job_name: name, static_configs: [{ targets: [`127.0.0.1:${port}`] }] };
}

/** Its address, and how it is asked. */
async function secureServer(t: TestContext, folder: string, listener: RequestListener) {
  const { ca, sign } = certificateAuthority(folder);
  const { cert, key } = sign('server', 'IP:127.0.0.1');
  const server = createServer({ cert: readFileSync(cert), key: readFileSync(key) }, listener);
  const url = (await listening(t, server)).replace('http:', 'https:');
  return { url, words: ['--cacert', ca] };
}

/** Of the rules, times of a day and more stay. */
const atAFifteenth = (text: string) =>
  text.replaceAll(/(?<=\[|for: |:)(\d+)([smh])(?=[\]:\n])/g, (_, digits, unit) => {
    const seconds = Number(digits) * { s: 1, m: 60, h: 3600 }[unit as 's' | 'm' | 'h'];
    return `${Math.min(longestSeconds, Math.max(1, Math.round(seconds / faster)))}s`;
  });

async function startPrometheus(t: TestContext, folder: string, jobs: readonly object[]): Promise<string> {
  writeFileSync(join(folder, 'rules.yml'), atAFifteenth(readFileSync(rules, 'utf8')));
  const global = { scrape_interval: '1s', scrape_timeout: '1s', evaluation_interval: '1s' };
  const settings = { global, rule_files: ['rules.yml'], scrape_configs: jobs };
  writeFileSync(join(folder, 'prometheus.yml'), JSON.stringify(settings));
  const port = await freePort();
  const prometheus = spawn(
    'prometheus',
    [
      `--config.file=${join(folder, 'prometheus.yml')}`,
      `--storage.tsdb.path=${join(folder, 'data')}`,
      `--web.listen-address=127.0.0.1:${port}`,
      '--log.level=error',
    ],
    { stdio: 'inherit' },
  );
  const exited = once(prometheus, 'exit');
  t.after(async () => {
    prometheus.kill('SIGTERM');
    await exited;
  });
  return `http://127.0.0.1:${port}`;
}
