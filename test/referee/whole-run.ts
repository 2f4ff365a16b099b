import type { ChildProcess } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { nodeHost } from '../../src/host/node.ts';
import { type Api, apiOf } from './api.ts';
import { besideProber, type Report, type Row } from './beside.ts';
import { asUser, ended, type Kit, kubeconfig } from './kit.ts';
import { readProbed } from './probed.ts';
import { readState } from './read-state.ts';
import { differences, type State } from './state.ts';

export interface WholeRun {
  readonly exitCode: number;
  readonly minutes: number;
  readonly report: Report;
  readonly rows: readonly Row[];
  /** What is not as it was before the run. */
  readonly changed: readonly string[];
}

const root = join(import.meta.dirname, '../..');
export const holdfast: readonly string[] = [join(root, 'node_modules/.bin/node'), join(root, 'bin/holdfast.js')];

/** What is validated, where it is not the specification's application. */
export interface Validated {
  /** Further words of `validate`. */
  readonly words?: readonly string[];
  /** Further words of `rbac`. */
  readonly rolesOf?: readonly string[];
  /** What the prober asks for. */
  readonly url?: string;
}

/** A user who has the roles that `rbac` prints and nothing else; returns the path of their kubeconfig. */
export async function tester(kit: Kit, folder: string, words: readonly string[] = []): Promise<string> {
  const command = [...holdfast, 'rbac', '--cleanup', ...words];
  const { code, output, said } = await ended(asUser(kit, command, { cwd: folder }));
  if (code !== 0) throw new Error(`holdfast rbac ended with ${code}: ${said}`);
  const roles = join(folder, 'roles.yaml');
  writeFileSync(roles, output);
  return kubeconfig(kit, 'tester', roles);
}

/**
 * `validate --cleanup` from an empty folder with those roles alone, and the prober beside it from the moment at which
 * the product probes. Then the cluster is compared with what it was.
 */
export async function wholeRun(
  kit: Kit,
  folder: string,
  { words = [], rolesOf = [], url = 'http://app.example.com/' }: Validated = {},
): Promise<WholeRun> {
  mkdirSync(folder, { recursive: true });
  const user = await tester(kit, folder, rolesOf);
  const api = await apiOf(nodeHost(), await kubeconfig(kit));
  const before = await readState(api, kit);
  const began = performance.now();
  const run = join(folder, 'run');
  const command = [...holdfast, 'validate', '--yes', '--allow-terminate', '--cleanup', '--out', run, ...words];
  const child = asUser(kit, command, { cwd: folder, kubeconfig: user });
  child.stderr?.on('data', (text) => process.stderr.write(text));
  const prober = proberBeside(kit, { run, product: child, url });
  const { code, output } = await ended(child);
  (await prober)?.kill('SIGKILL');
  writeFileSync(join(folder, 'output.txt'), output);
  const minutes = (performance.now() - began) / 60_000;
  const report = JSON.parse(readFileSync(join(run, 'report.json'), 'utf8')) as Report;
  const probed = join(run, 'prober.jsonl');
  const rows = besideProber(report, existsSync(probed) ? readProbed(readFileSync(probed, 'utf8')) : []);
  return { exitCode: code, minutes, report, rows, changed: await asBefore({ api, kit, before }) };
}

/**
 * Starts once the product's downtime log exists: an earlier look-up would put "no such name" into the resolver that
 * both use.
 */
async function proberBeside(
  kit: Kit,
  { run, product, url }: { readonly run: string; readonly product: ChildProcess; readonly url: string },
): Promise<ChildProcess | undefined> {
  while (!existsSync(join(run, 'downtime.log'))) {
    if (product.exitCode !== null) return undefined;
    await sleep(500);
  }
  const prober = [holdfast[0] ?? 'node', join(import.meta.dirname, 'prober.ts'), url, join(run, 'prober.jsonl')];
  return asUser(kit, prober, { cwd: run });
}

/**
 * external-dns takes a record away within a minute, and a node of a pool that is gone is drained and ended within
 * three.
 */
const settledWithinSeconds = 300;

/** Waits until nothing differs; what still differs at the end of that time, by name. */
export async function asBefore(of: {
  readonly api: Api;
  readonly kit: Kit;
  readonly before: State;
}): Promise<readonly string[]> {
  const until = performance.now() + settledWithinSeconds * 1000;
  for (;;) {
    const changed = differences(of.before, await readState(of.api, of.kit));
    if (changed.length === 0 || performance.now() > until) return changed;
    await sleep(5000);
  }
}

/** Memory of the machine that is in use, in GiB, by the kernel's own figure. */
export function memoryInUse(): number {
  const kilobytes = (name: string) =>
    Number(new RegExp(`${name}: +(\\d+)`).exec(readFileSync('/proc/meminfo', 'utf8'))?.[1]);
  return (kilobytes('MemTotal') - kilobytes('MemAvailable')) / 1024 ** 2;
}
