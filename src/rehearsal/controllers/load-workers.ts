import type { Pod } from '../../cluster/resources.ts';
import type { Host } from '../../host/host.ts';
import { reportLine, terminationMessage, work } from '../../host/load/worker.ts';
import { type LoadWorker, loadWorkerOf, readLoadWorker, startShown } from '../kubelet/load-worker.ts';
import { type Container, hasExited } from '../machines/containers.ts';
import { isPoweredOn } from '../machines/instances.ts';
import type { Machines } from '../machines/machines.ts';
import { keyOf } from '../objects/cache.ts';
import { reconciler } from '../reconciling/reconciler.ts';
import type { Controller, Site } from '../setup/site.ts';

/** The process in a container: it waits for its start, or makes requests. */
interface Process {
  readonly containerId: string;
  /** SIGTERM. */
  readonly stop: AbortController;
  readonly start: PromiseWithResolvers<number | undefined>;
  isTold: boolean;
  /** Its machine is off, or it was killed: nothing that it says is heard. */
  isDead: boolean;
}

/** The processes of the pods of `load.workers`: the same program as the real one, whose requests go the embedded cluster's request path. */
export function loadWorkers(machines: Machines, programs: Pick<Host, 'clock' | 'load'>): Controller {
  const processes = new Map<string, Process>();
  return reconciler({
    name: 'load-workers',
    watches: { Pod: (pod) => (loadWorkerOf(pod) === undefined ? [] : [keyOf(pod)]) },
    alsoWatches: (_site, add) => {
      machines.onContainerChange((podKey) => processes.has(podKey) && add(podKey));
      machines.onTermination(({ id }) => {
        for (const { podKey } of machines.containersOn(id)) if (processes.has(podKey)) add(podKey);
      });
    },
    reaction: 'kubeletReaction',
    reconcile: async (site, key) => {
      const found = inPod(machines, key, site.cache.get('Pod', key), site.now());
      if (found === undefined) return void kill(processes, key);
      const process = processes.get(key);
      if (process !== undefined) return follow(site, process, found);
      const { container, worker } = found;
      if (container.exitsAt !== undefined) return undefined;
      if (site.now() < container.startsAt) return (container.startsAt - site.now()) / 1000;
      processes.set(key, run({ site, machines, programs }, container.id, worker));
      return 0;
    },
  });
}

/** A worker and its container, on a machine that is on. */
interface Found {
  readonly pod: Pod;
  readonly container: Container;
  readonly worker: LoadWorker;
  readonly poweredOffAt: number | undefined;
}

function inPod(machines: Machines, key: string, pod: Pod | undefined, now: number): Found | undefined {
  const spec = pod && loadWorkerOf(pod);
  const container = machines.containersOf(key).find(({ name }) => name === spec?.name);
  const instance = machines.instance(container?.instanceId ?? '');
  if (pod === undefined || spec === undefined || container === undefined || instance === undefined) return undefined;
  if (!isPoweredOn(instance, now)) return undefined;
  return { pod, container, worker: readLoadWorker(pod, spec), poweredOffAt: instance.poweredOffAt };
}

function follow(site: Site, process: Process, { pod, container, poweredOffAt }: Found): number | undefined {
  if (container.exitsAt === undefined) tell(site, process, pod);
  else end(process, container, site.now());
  return poweredOffAt === undefined ? undefined : (poweredOffAt - site.now()) / 1000;
}

interface Surroundings {
  readonly site: Site;
  readonly machines: Machines;
  readonly programs: Pick<Host, 'clock' | 'load'>;
}

function run({ site, machines, programs }: Surroundings, containerId: string, worker: LoadWorker): Process {
  const stop = new AbortController();
  const start = Promise.withResolvers<number | undefined>();
  stop.signal.addEventListener('abort', () => start.resolve(undefined), { once: true });
  const process: Process = { containerId, stop, start, isTold: false, isDead: false };
  const { index, workers, share } = worker;
  machines.write(containerId, `worker ${index} of ${workers} waits for the start\n`);
  work(programs, { index, share, start: start.promise, stop: stop.signal })
    .then((report) => {
      if (process.isDead) return;
      machines.write(containerId, reportLine(report), terminationMessage(report));
      if (!stop.signal.aborted) machines.crash(containerId, report.amiss === undefined ? 0 : 1);
    })
    .catch((error: unknown) => {
      if (site.running()) site.failed(error);
    });
  return process;
}

/** The file of the volume is written a moment after the pod has changed. */
function tell(site: Site, process: Process, pod: Pod): void {
  const at = startShown(pod);
  if (at === undefined || process.isTold) return;
  process.isTold = true;
  site.after(site.delay('volumeRefresh'), () => process.start.resolve(at));
}

/** SIGTERM, or, where nobody asked it to stop, the end itself. */
function end(process: Process, container: Container, now: number): void {
  if (container.stopGraceSeconds === undefined && hasExited(container, now)) process.isDead = true;
  process.stop.abort('SIGTERM');
}

function kill(processes: Map<string, Process>, key: string): void {
  const process = processes.get(key);
  if (process === undefined) return;
  process.isDead = true;
  process.stop.abort('killed');
  processes.delete(key);
}
