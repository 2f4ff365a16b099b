import { existsSync, globSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { nodeHost } from '../../../src/host/node.ts';
import { apiOf } from '../api.ts';
import { asUser, ended, type Kit, kubeconfig } from '../kit.ts';
import { readState } from '../read-state.ts';
import { asBefore, holdfast, tester } from '../whole-run.ts';
import { besideRehearsals, type Compared, type OwnReport } from './beside-rehearsal.ts';

export interface OwnRun {
  readonly rows: readonly Compared[];
  readonly exitCode: number;
  /** What is not as it was before the run. */
  readonly changed: readonly string[];
}

export const sets: readonly string[] = globSync('*.yaml', { cwd: join(import.meta.dirname, 'sets') })
  .map((name) => basename(name, '.yaml'))
  .sort();

/**
 * Rehearses the set with that many seeds, in one run as `validate -f` makes it, validates it on the real cluster by the
 * same `-f`, and compares the cluster with what it was.
 */
export async function ownRun(
  kit: Kit,
  folder: string,
  { set, seeds, words }: { readonly set: string; readonly seeds: number; readonly words: readonly string[] },
): Promise<OwnRun> {
  mkdirSync(folder, { recursive: true });
  const file = join(import.meta.dirname, 'sets', `${set}.yaml`);
  writeFileSync(join(folder, 'holdfast.yaml'), knownThere);
  const rehearsed: OwnReport[] = [];
  for (let seed = 1; seed <= seeds; seed += 1) {
    const run = join(folder, `rehearsal-${seed}`);
    const rehearsal = [
      'rehearse',
      '-f',
      file,
      '--together',
      '--no-assumptions',
      '--seed',
      String(seed),
      '--out',
      run,
      ...words,
    ];
    const { code, output } = await ended(asUser(kit, [...holdfast, ...rehearsal], { cwd: folder }));
    if (!existsSync(join(run, 'report.json'))) throw new Error(`${rehearsal.join(' ')} ended with ${code}: ${output}`);
    rehearsed.push(reportIn(run));
  }
  const user = await userOf(kit, folder, file);
  const api = await apiOf(nodeHost(), await kubeconfig(kit));
  const before = await readState(api, kit);
  const run = join(folder, 'run');
  const validation = ['validate', '-f', file, '--yes', '--allow-terminate', '--cleanup', '--out', run, ...words];
  const child = asUser(kit, [...holdfast, ...validation], { cwd: folder, ...user });
  child.stderr?.on('data', (text) => process.stderr.write(text));
  const { code, output } = await ended(child);
  writeFileSync(join(folder, 'output.txt'), output);
  const rows = besideRehearsals(set, reportIn(run), rehearsed);
  return { rows, exitCode: code, changed: await asBefore({ api, kit, before }) };
}

/**
 * What manifests cannot say, as it is there: nginx answers as soon as it runs and ends at once on SIGTERM (pods were
 * Ready 1.7 s after the deletion of their predecessor), its image comes from a registry on the same machine, Karpenter
 * has a queue, and a node is Ready 12 s after its launch (15.1 to 17.3 s after what made it necessary).
 */
const knownThere =
  'validation:\n  rehearse:\n    interruptionQueue: true\n    nodeReady: 12s\n    application: { start: 0s, stop: 0s, pull: 1s }\n';

/**
 * With the roles of `rbac -f` alone; a Role cannot be granted in a namespace that the run makes, so that then the
 * administrator runs it.
 */
async function userOf(kit: Kit, folder: string, file: string): Promise<{ readonly kubeconfig?: string }> {
  const makesNamespace = /^kind: Namespace$/m.test(readFileSync(file, 'utf8'));
  return makesNamespace ? {} : { kubeconfig: await tester(kit, folder, ['-f', file]) };
}

const reportIn = (run: string): OwnReport => JSON.parse(readFileSync(join(run, 'report.json'), 'utf8'));
