import { spawn } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { nodeHost } from '../../../src/host/node.ts';
import { millicores } from '../../../src/validation/observe/cpu.ts';
import type { LoadRecorded } from '../../../src/validation/record/load-recorded.ts';
import { type Api, apiOf } from '../api.ts';
import { ended, type Kit, kubeconfig } from '../kit.ts';
import { wholeRun } from '../whole-run.ts';
import { type Case, concurrency, mistakesOf, rate, requests, workers } from './cases.ts';
import { disturb } from './disturb.ts';

export interface WorkersRun {
  readonly name: string;
  readonly exitCode: number;
  readonly load: LoadRecorded | undefined;
  readonly mistakes: readonly string[];
  /** What is not as it was before the run. */
  readonly changed: readonly string[];
}

/** Pushes the image to the kit's registry, from where its nodes pull `holdfast:0.1.0`. */
export async function push(kit: Kit, image: string): Promise<void> {
  const script = join(import.meta.dirname, '../push-image.sh');
  const { code, said } = await ended(spawn(script, [image], { env: kit.environment }));
  if (code !== 0) throw new Error(`${script} ${image} ended with ${code}: ${said.slice(-600)}`);
}

/**
 * Validates the one scenario `load` with pods as workers while something is done to some of them, and reads what the
 * report says of it.
 */
export async function workersRun(kit: Kit, folder: string, name: string, of: Case): Promise<WorkersRun> {
  mkdirSync(folder, { recursive: true });
  const api = await apiOf(nodeHost(), await kubeconfig(kit));
  const room = of.lacksRoom ? await nodeWithoutRoom(api) : {};
  const worker = { image: 'holdfast:0.1.0', startWithin: of.lacksRoom ? '30s' : '3m', ...room };
  const settings = { validation: { load: { requests, concurrency, rate, workers, worker } } };
  writeFileSync(join(folder, 'holdfast.yaml'), JSON.stringify(settings));
  const over = new AbortController();
  const disturbed = disturb(api, of.deeds, over.signal).catch((error: unknown) => {
    if (!over.signal.aborted) throw error;
  });
  const { exitCode, changed } = await wholeRun(kit, folder, { words: ['--scenario', 'load'] }).finally(() =>
    over.abort(),
  );
  await disturbed;
  const load = loadIn(join(folder, 'run/report.json'));
  return { name, exitCode, load, mistakes: mistakesOf(of, load), changed };
}

/** The load as report.json has it (docs/contract.md). */
function loadIn(report: string): LoadRecorded | undefined {
  if (!existsSync(report)) return undefined;
  const { scenarios } = JSON.parse(readFileSync(report, 'utf8')) as { scenarios: { load?: LoadRecorded }[] };
  return scenarios.flatMap(({ load }) => load ?? [])[0];
}

/** A node that Karpenter did not launch, and as much CPU for each worker that all but one of them fit there. */
async function nodeWithoutRoom(api: Api): Promise<object> {
  const nodes = await api.ask('GET', `/api/v1/nodes?labelSelector=${encodeURIComponent('!karpenter.sh/nodepool')}`);
  const [node] = nodes.body.items ?? [];
  if (node === undefined) throw new Error('every node of the cluster is Karpenter’s: there is none for the workers');
  const { name, labels } = node.metadata;
  const pods = await api.ask('GET', `/api/v1/pods?fieldSelector=spec.nodeName=${name}`);
  const free = pods.body.items.reduce(
    (left: number, { spec }: { spec: { containers: { resources?: { requests?: { cpu?: string } } }[] } }) =>
      spec.containers.reduce((rest, { resources }) => rest - millicores(resources?.requests?.cpu ?? '0'), left),
    millicores(node.status.allocatable.cpu),
  );
  const hostname = 'kubernetes.io/hostname';
  return { nodeSelector: `${hostname}=${labels[hostname]}`, cpu: `${Math.floor(free / (workers - 0.5))}m` };
}
