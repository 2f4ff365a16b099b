import { existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { nodeHost } from '../../src/host/node.ts';
import { apiOf } from './api.ts';
import { asUser, ended, type Kit, kubeconfig } from './kit.ts';
import { readState } from './read-state.ts';
import { asBefore, holdfast, tester } from './whole-run.ts';

export interface Kill {
  readonly scenario: string;
  /** Seconds after the first object was written to the cluster. */
  readonly afterSeconds: number;
  /** Whether the run was still going at that moment. */
  readonly isKilled: boolean;
  readonly recoverExitCode: number;
  readonly recoverSeconds: number;
  readonly changed: readonly string[];
}

/** Those that write more than one thing, the quickest first. */
export const killed: readonly string[] = [
  'single-replica',
  'node-drain',
  'scale-down',
  'disruption-budget',
  'dns-failure',
  'scale-up',
  'consolidation',
  'instance-kill',
];
/**
 * The objects are applied and the application answers within 40 to 100 s; then the scenario goes on for 10 to 180 s.
 */
const latestSeconds = 160;

/**
 * Kills one validation with SIGKILL at a random moment, recovers it by the same user, and compares the cluster with
 * what it was.
 */
export async function killOnce(kit: Kit, folder: string, scenario: string): Promise<Kill> {
  mkdirSync(folder, { recursive: true });
  const user = await tester(kit, folder);
  const api = await apiOf(nodeHost(), await kubeconfig(kit));
  const before = await readState(api, kit);
  const run = join(folder, 'run');
  const words = ['validate', '--yes', '--allow-terminate', '--cleanup', '--scenario', scenario, '--out', run];
  const child = asUser(kit, [...holdfast, ...words], { cwd: folder, kubeconfig: user });
  const end = ended(child);
  while (!existsSync(join(run, 'downtime.log')) && child.exitCode === null) await sleep(200);
  const afterSeconds = Math.round(Math.random() * latestSeconds * 10) / 10;
  await Promise.race([sleep(afterSeconds * 1000), end]);
  const isKilled = child.exitCode === null && child.kill('SIGKILL');
  await end;
  const began = performance.now();
  const recovered = await ended(asUser(kit, [...holdfast, 'recover', run], { cwd: folder, kubeconfig: user }));
  writeFileSync(join(folder, 'recover.txt'), recovered.output + recovered.said);
  const recoverSeconds = (performance.now() - began) / 1000;
  const changed = await asBefore({ api, kit, before });
  return { scenario, afterSeconds, isKilled, recoverExitCode: recovered.code, recoverSeconds, changed };
}

export function killsTable(kills: readonly Kill[]): string {
  const rows = kills.map(({ scenario, afterSeconds, isKilled, recoverExitCode, recoverSeconds, changed }) => {
    const when = isKilled ? `${afterSeconds} s` : 'ended before';
    const same = changed.length === 0 ? 'yes' : `**no**: ${changed.join('; ')}`;
    return `| ${scenario} | ${when} | ${recoverExitCode} | ${recoverSeconds.toFixed(0)} | ${same} |`;
  });
  return ['| Scenario | Killed after | recover: exit | s | as before |', '|---|---|---|---|---|', ...rows].join('\n');
}
