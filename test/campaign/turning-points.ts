import assert from 'node:assert/strict';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { randomStreams } from '@holdfast/embedded-cluster';
import { resultOf } from '../../src/cli/cluster/rehearsal-run.ts';
import { rehearsalsOfCertainty } from '../../src/cli/manifests/assumptions.ts';
import type { OwnManifests } from '../../src/cli/manifests/read-own.ts';
import { remembered } from '../../src/cli/manifests/turning-point.ts';
import type { Resource } from '../../src/cluster/kinds.ts';
import { systemClock } from '../../src/host/clock.ts';
import type { Verdict } from '../../src/validation/judge/run-result.ts';
import { validationSchema } from '../../src/validation/settings.ts';
import { holdfast } from '../support/command-line.ts';
import { budget, deployment, ingress, service } from '../support/own-manifests.ts';
import { quietHost } from '../support/quiet-host.ts';
import { readOwnManifests } from '../support/read-own-manifests.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';

/** How many random applications; each takes about a minute. One alone: `--test-name-pattern "application 6 are"`. */
const count = Number(process.env.APPLICATIONS ?? 20);
const scenarios = ['scale-up', 'scale-down', 'node-drain'];
/**
 * Where the full search looks, besides beside the turning point: every few seconds where applications differ, then
 * every minute.
 */
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
  readonly verdict: Verdict;
  readonly assumptions?: readonly Assumption[];
}
interface Assumption {
  readonly name: 'start' | 'stop' | 'pull';
  readonly value: number;
  readonly turnsAt: Turn | null;
  readonly byChanceAt?: readonly number[];
}
interface Turn {
  readonly seconds: number;
  readonly verdict: Verdict;
}

/** What the program says of the application. */
function reported(folder: string): Report {
  const words = ['--scenario', ...scenarios, '--quiet', '--out', 'run'];
  const ran = holdfast(folder, ['rehearse', '-f', 'app.json', ...words]);
  assert.ok([0, 1, 4].includes(ran.status ?? -1), `exit ${ran.status}: ${ran.stderr}`);
  return JSON.parse(readFileSync(join(folder, 'run', 'report.json'), 'utf8'));
}

/**
 * One value with another verdict, between two that have the assumed one's, is a throw of the dice: two neighbours are a
 * turn.
 */
const isBesideAnother = (at: number, others: readonly number[]): boolean =>
  [-1, 1].some((step) => others.includes(grid[grid.indexOf(at) + step] ?? -1));

const assumed = { start: 5, stop: 1, pull: 15 };
const most = 600;

type VerdictAt = (seconds: number) => Promise<Verdict>;

/**
 * The verdict of the whole rehearsal with another value of that assumption; where the assumed one fails, that of the
 * next seconds the one that does.
 */
function verdicts(own: OwnManifests, name: 'start' | 'stop', atAssumed: Verdict): VerdictAt {
  const verdictOf = remembered(async (seconds) => {
    const values = Object.entries({ ...assumed, [name]: seconds }).map(([key, value]) => [key, `${value}s`]);
    const application = Object.fromEntries(values);
    const settings = validationSchema.parse({ ...own.assumedSettings, manifests: 'none', rehearse: { application } });
    const order = { seed: 1, scenario: scenarios, defect: [], settings, own, version: '0.0.0' };
    const host = { ...quietHost(), clock: systemClock() };
    return (await resultOf({ host } as unknown as Parameters<typeof resultOf>[0], order))?.verdict ?? 'error';
  });
  return async (seconds) => {
    const seen = await verdictOf(seconds);
    if (!fails(atAssumed)) return seen;
    for (let later = 1; !fails(seen) && later < rehearsalsOfCertainty; later += 1) {
      const other = await verdictOf(farther(seconds, assumed[name], later));
      if (fails(other)) return other;
    }
    return seen;
  };
}

function farther(seconds: number, from: number, later: number): number {
  if (seconds < from) return Math.max(seconds - later, 0);
  return seconds + later > most ? seconds - later : seconds + later;
}

const fails = (verdict: Verdict): boolean => verdict === 'fail' || verdict === 'error';

/**
 * At the turning point the verdict is the other one, a second nearer it is not, and no turn is nearer; or there is
 * none.
 */
async function assertTurn(
  { name, value, turnsAt }: Assumption,
  atAssumed: Verdict,
  looked: ReadonlyMap<number, Verdict>,
  verdictAt: VerdictAt,
): Promise<void> {
  const isFailure = turnsAt === null || fails(turnsAt.verdict) !== fails(atAssumed);
  const isOther = (seen: Verdict) => (isFailure ? fails(seen) !== fails(atAssumed) : seen !== atAssumed);
  const others = [...looked].filter(([, seen]) => isOther(seen)).map(([seconds]) => seconds);
  const runs = others.filter((at) => isBesideAnother(at, others));
  if (turnsAt === null) {
    assert.deepEqual(runs, [], `${name} does not turn`);
    return;
  }
  const { seconds, verdict } = turnsAt;
  assert.equal(await verdictAt(seconds), verdict);
  const before = seconds + (seconds > value ? -1 : 1);
  assert.ok(!isOther(await verdictAt(before)), `${name}: a second nearer to ${value} s`);
  const [from, to] = seconds > value ? [value, before] : [before, value];
  const nearer = runs.filter((at) => at >= from && at <= to);
  assert.deepEqual(nearer, [], `${name}: a turn nearer to ${value} s`);
}

async function compare(t: TestContext, index: number): Promise<void> {
  const folder = temporaryFolder(t);
  mkdirSync(folder, { recursive: true });
  const items = randomApplication(randomStreams(`application ${index}`)('shape'));
  const text = JSON.stringify({ apiVersion: 'v1', kind: 'List', items });
  writeFileSync(join(folder, 'app.json'), text);
  const own = await readOwnManifests(text);
  assert.ok('application' in own);
  const { verdict, assumptions = [] } = reported(folder);
  for (const assumption of assumptions) {
    const { name, value, turnsAt, byChanceAt = [] } = assumption;
    if (name !== 'start' && name !== 'stop') continue;
    const verdictAt = verdicts(own, name, verdict);
    const looked = new Map<number, Verdict>();
    for (const seconds of grid) looked.set(seconds, await verdictAt(seconds));
    const seen = [...looked].map(([seconds, one]) => `${seconds}${one.charAt(0)}`).join(' ');
    t.diagnostic(
      `${name}: ${verdict} at ${value} s; turns at ${turnsAt?.seconds ?? '-'} s to ${turnsAt?.verdict ?? '-'}; chance at ${byChanceAt.join(' ') || '-'}; ${seen}`,
    );
    await assertTurn(assumption, verdict, looked, verdictAt);
  }
}

for (let index = 0; index < count; index += 1)
  test(`the turning points of random application ${index} are those of a full search`, (t) => compare(t, index));
