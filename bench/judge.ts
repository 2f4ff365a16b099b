import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { validationSchema } from '../src/validation/settings.ts';
import { loadAverage } from './load-average.ts';
import { median } from './median.ts';

/** A run of a day with 10,000 changes of the cluster, read and judged, start to exit; budget: 1 s. */
const changeCount = Number(process.argv[2] ?? 10_000);
const rounds = 5;

const daySeconds = 86_400;
const startAt = Date.UTC(2026, 0, 1);
const iso = (seconds: number): string => new Date(startAt + 1000 * seconds).toISOString();
const scenarios = [
  ...['scale-up', 'scale-down', 'single-replica', 'node-drain', 'instance-kill', 'disruption-budget'],
  ...['consolidation', 'load', 'ingress-controller-failure', 'dns-failure'],
];

/** Two probes a second, one of them on a kept connection, and an outage of four seconds in every thousand. */
function logText(): string {
  const head = '# holdfast downtime-log 1 target=http://app.example.com/ interval=1s timeout=10s slow=1s expect=200\n';
  const lines = Array.from({ length: daySeconds }, (_, second) => {
    const status = second % 1000 < 4 ? '503' : '200';
    const at = iso(second + 0.203);
    return `${at} ${status} 0.0${10 + (second % 90)}\n${at} ${status} 0.0${10 + (second % 90)} connection=reused\n`;
  });
  return head + lines.join('');
}

/** An object of the pool or the application that changes at that moment, one of a few dozen. */
function change(index: number): object {
  const number = index % 40;
  const [createdAt, deletingAt] = [iso(0), index % 97 === 0 ? iso(daySeconds) : undefined];
  const common = { uid: `uid-${number}`, createdAt, ...(deletingAt === undefined ? {} : { deletingAt }) };
  const kinds = [
    ['Pod', { ...common, node: `node-${number}`, ready: index % 3 > 0, readyAt: createdAt, restarts: 0 }],
    ['Node', { ...common, ready: true, cordoned: false, disrupted: index % 11 === 0, labels: {} }],
    ['NodeClaim', { ...common, node: `node-${number}`, initializedAt: createdAt, instanceTerminating: false }],
    ['EndpointSlice', { ready: 1 + (index % 3), terminating: 0 }],
  ] as const;
  const [kind, digest] = kinds[index % kinds.length] ?? kinds[0];
  const name = kind === 'EndpointSlice' ? 'slice' : `${kind.toLowerCase()}-${number}`;
  return { type: 'cluster-changed', change: 'modified', kind, name, digest };
}

/** Every scenario takes a tenth of the day. */
function scenarioFacts(
  scenario: string,
  index: number,
): readonly { readonly seconds: number; readonly fact: object }[] {
  const from = 60 + index * 8600;
  const id = `action-${index}`;
  return [
    { seconds: from, fact: { type: 'scenario-started', scenario } },
    { seconds: from + 30, fact: { type: 'window-opened', scenario } },
    { seconds: from + 30, fact: { type: 'round-opened', scenario, round: 0 } },
    { seconds: from + 31, fact: { type: 'action-intended', id, scenario, action: 'scale', subject: 'x', intent: {} } },
    { seconds: from + 32, fact: { type: 'action-performed', id } },
    { seconds: from + 8000, fact: { type: 'scenario-settled', scenario } },
    { seconds: from + 8100, fact: { type: 'action-undone', id, state: 'undone', because: 'x' } },
    { seconds: from + 8200, fact: { type: 'window-closed', scenario } },
    { seconds: from + 8300, fact: { type: 'scenario-finished', scenario } },
  ];
}

function journalText(): string {
  const watched = ['Deployment', 'EndpointSlice', 'IngressPod', 'Node', 'NodeClaim', 'NodePool', 'Pod'];
  const run = { id: 'bench', kind: 'cluster', cluster: 'https://api.example' };
  const settings = validationSchema.parse({});
  const tool = { name: 'holdfast', version: '0.0.0' };
  const facts = [
    { seconds: 0, fact: { type: 'run-started', tool, run, scenarios, partial: false, settings } },
    ...[...watched, 'PodDisruptionBudget'].map((kind) => ({ seconds: 1, fact: { type: 'cluster-watched', kind } })),
    { seconds: 50, fact: { type: 'application-verified', expectations: [] } },
    ...scenarios.flatMap(scenarioFacts),
    ...Array.from({ length: changeCount }, (_, index) => ({
      seconds: 2 + (index * (daySeconds - 10)) / changeCount,
      fact: change(index),
    })),
    { seconds: daySeconds, fact: { type: 'run-finished' } },
  ];
  const lines = facts.toSorted((a, b) => a.seconds - b.seconds);
  return lines.map(({ seconds, fact }) => `${JSON.stringify({ at: iso(seconds), ...fact })}\n`).join('');
}

const readRunUrl = new URL('../src/validation/judge/read-run.ts', import.meta.url);
const filesUrl = new URL('../src/host/files.ts', import.meta.url);
const program = `
  const { readRun } = await import(${JSON.stringify(readRunUrl.href)});
  const { nodeFiles } = await import(${JSON.stringify(filesUrl.href)});
  const begun = performance.now();
  const { result } = await readRun(nodeFiles(), process.argv[1]);
  const { user, system } = process.cpuUsage();
  const outages = result.outages.length;
  console.log(JSON.stringify({ reading: (performance.now() - begun) / 1000, cpu: (user + system) / 1e6, outages }));
`;

function judged(folder: string) {
  const begun = performance.now();
  const { stdout } = spawnSync(process.execPath, ['--input-type=module', '-e', program, folder], { encoding: 'utf8' });
  return { seconds: (performance.now() - begun) / 1000, ...JSON.parse(stdout) };
}

const folder = mkdtempSync(join(tmpdir(), 'holdfast-bench-'));
try {
  writeFileSync(join(folder, 'downtime.log'), logText());
  writeFileSync(join(folder, 'journal.jsonl'), journalText());
  const runs = Array.from({ length: rounds }, () => judged(folder));
  const of = (key: 'seconds' | 'reading' | 'cpu') => median(runs.map((one) => one[key])).toFixed(2);
  console.log(
    `${changeCount} changes, a day of log: ${of('seconds')} s start to exit, ${of('reading')} s of it reading and judging, ${of('cpu')} s of CPU (budget 1 s); ${runs[0]?.outages} outages`,
  );
  console.log(loadAverage());
} finally {
  rmSync(folder, { recursive: true });
}
