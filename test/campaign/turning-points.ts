import assert from 'node:assert/strict';
import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import type { Resource } from '../../src/cluster/kinds.ts';
import { randomStreams } from '../../src/host/random.ts';
import { holdfast } from '../support/command-line.ts';
import { budget, deployment, ingress, service } from '../support/own-manifests.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';

/** How many random applications; each takes about a minute. */
const count = Number(process.env.APPLICATIONS ?? 20);
const scenarios = ['scale-up', 'scale-down', 'node-drain'];
/** Where the full search looks, besides beside the turning point: every few seconds where applications differ, then every minute. */
const grid = [
  0, 2, 4, 6, 8, 10, 13, 16, 20, 25, 30, 35, 40, 50, 60, 75, 90, 120, 180, 240, 300, 360, 420, 480, 540, 600,
];
const label = 'app.kubernetes.io/name';

/** An application as somebody may have it: replicas, probe, hook, grace period, spread and budget by chance. */
function randomApplication(random: () => number): readonly Resource[] {
  const one = <T>(...all: readonly [T, ...T[]]): T => all[Math.floor(random() * all.length)] ?? all[0];
  const isSpread = one(true, false);
  const readinessProbe = {
    httpGet: { path: '/', port: 'http' },
    periodSeconds: one(1, 2, 5, 10),
    initialDelaySeconds: one(0, 0, 5, 20),
  };
  const sleep = one(0, 0, 5, 10, 20);
  const container = {
    name: 'web',
    image: 'ghcr.io/acme/shop:1.4.2',
    ports: [{ name: 'http', containerPort: 8080 }],
    ...(one(true, true, false) && { readinessProbe }),
    ...(sleep > 0 && { lifecycle: { preStop: { sleep: { seconds: sleep } } } }),
    resources: { requests: { cpu: one('100m', '250m', '500m'), memory: '128Mi' } },
  };
  const apart = {
    maxSkew: 1,
    topologyKey: 'kubernetes.io/hostname',
    whenUnsatisfiable: 'DoNotSchedule',
    labelSelector: { matchLabels: { [label]: 'shop' } },
  };
  const web = deployment('shop-web', 'shop', {
    containers: [container],
    // Kubernetes refuses a sleep that is longer.
    terminationGracePeriodSeconds: Math.max(one(15, 30, 60, 90), sleep),
    ...(isSpread && { topologySpreadConstraints: [apart] }),
  });
  return [web, service(), ingress(), ...(one(true, false) ? [budget({ [label]: 'shop' })] : [])];
}

interface Report {
  readonly verdict: string;
  readonly assumptions?: readonly Assumption[];
}
interface Assumption {
  readonly name: string;
  readonly value: number;
  readonly turnsAt: Turn | null;
}
interface Turn {
  readonly seconds: number;
  readonly verdict: string;
}

function rehearsed(folder: string, words: readonly string[]): Report {
  const out = join(folder, 'run');
  rmSync(out, { recursive: true, force: true });
  const ran = holdfast(folder, [
    'rehearse',
    '-f',
    'app.json',
    '--scenario',
    ...scenarios,
    '--quiet',
    '--out',
    'run',
    ...words,
  ]);
  assert.ok([0, 1, 4].includes(ran.status ?? -1), `exit ${ran.status}: ${ran.stderr}`);
  return JSON.parse(readFileSync(join(out, 'report.json'), 'utf8'));
}

/** One value with another verdict, between two that have the assumed one's, is a throw of the dice: two neighbours are a turn. */
const isBesideAnother = (at: number, others: readonly number[]): boolean =>
  [-1, 1].some((step) => others.includes(grid[grid.indexOf(at) + step] ?? -1));

const assumed = { start: 5, stop: 1, pull: 15 };

/** The verdict of the same rehearsal with another value of one assumption. */
function verdictWith(folder: string, name: string, seconds: number): string {
  const values = Object.entries({ ...assumed, [name]: seconds }).map(([key, value]) => `${key}: ${value}s`);
  const file = join(folder, 'holdfast.yaml');
  writeFileSync(file, `validation: { rehearse: { application: { ${values.join(', ')} } } }`);
  const { verdict } = rehearsed(folder, ['--no-assumptions']);
  rmSync(file);
  return verdict;
}

/** At the turning point the verdict is the other one, a second nearer it is not, and no turn is nearer; or there is none. */
function assertTurn(folder: string, { name, value, turnsAt }: Assumption, others: readonly number[]): void {
  const runs = others.filter((at) => isBesideAnother(at, others));
  if (turnsAt === null) {
    assert.deepEqual(runs, [], `${name} does not turn`);
    return;
  }
  assert.equal(verdictWith(folder, name, turnsAt.seconds), turnsAt.verdict);
  const before = turnsAt.seconds + (turnsAt.seconds > value ? -1 : 1);
  assert.notEqual(verdictWith(folder, name, before), turnsAt.verdict, `${name}: a second nearer to ${value} s`);
  const [from, to] = turnsAt.seconds > value ? [value, before] : [before, value];
  const nearer = runs.filter((at) => at >= from && at <= to);
  assert.deepEqual(nearer, [], `${name}: a turn nearer to ${value} s`);
}

for (let index = 0; index < count; index += 1)
  test(`the turning points of random application ${index} are those of a full search`, (t) => {
    const folder = temporaryFolder(t);
    mkdirSync(folder, { recursive: true });
    const items = randomApplication(randomStreams(`application ${index}`)('shape'));
    writeFileSync(join(folder, 'app.json'), JSON.stringify({ apiVersion: 'v1', kind: 'List', items }));
    const { verdict, assumptions = [] } = rehearsed(folder, []);
    for (const { name, value, turnsAt } of assumptions.filter((one) => one.name === 'start' || one.name === 'stop')) {
      const looked = new Map(grid.map((seconds) => [seconds, verdictWith(folder, name, seconds)]));
      const others = [...looked].filter(([, seen]) => seen !== verdict).map(([seconds]) => seconds);
      t.diagnostic(
        `${name}: ${verdict} at ${value} s; turns at ${turnsAt?.seconds ?? '-'} s to ${turnsAt?.verdict ?? '-'}; others at ${others.join(' ')}`,
      );
      assertTurn(folder, { name, value, turnsAt }, others);
    }
  });
