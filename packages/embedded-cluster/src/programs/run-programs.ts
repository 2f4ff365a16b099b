import type { DataPlane } from '../data-plane/data-plane.ts';
import type { Pod } from '../kubernetes/resources.ts';
import type { Container as ContainerSpec } from '../kubernetes/specs.ts';
import { type Container, isRunning } from '../machines/containers.ts';
import { isPoweredOn } from '../machines/instances.ts';
import type { Machines } from '../machines/machines.ts';
import type { Clock } from '../outside/clock.ts';
import type { HttpRequest, HttpResponse } from '../outside/http.ts';
import type { RandomStreams } from '../outside/random.ts';
import type { Controller, Site } from '../setup/site.ts';
import { type ContainerLog, containerLog } from './container-log.ts';
import { logResponse, podOfLog } from './pod-log.ts';
import type { ContainerProcess, ContainerProgram } from './program.ts';

export interface ProgramParts {
  readonly program?: ContainerProgram | undefined;
  readonly machines: Machines;
  readonly clock: Clock;
  readonly random: RandomStreams;
  readonly dataPlane: () => DataPlane;
}

/** The programs in the containers, and their logs. */
export interface Programs {
  /** Runs the program in each container that holds it, from the container's start to its end. */
  readonly controller: Controller;
  /** Whether the container of this specification really runs a program, which ends by itself and not as modelled. */
  readonly runs: ContainerProgram['isIn'];
  /** The API server's answer, or where it has no kubelet to ask the log of a container whose program really runs. */
  answer(request: HttpRequest, answered: Promise<HttpResponse>, signal?: AbortSignal): Promise<HttpResponse>;
}

/** What the embedded API server answers where it would ask a kubelet. */
const noKubelet = 501;
/** How soon its log ends after a container has. */
const lookSeconds = 1;

/** Processes by the ids of their containers. */
type Processes = Map<string, { readonly log: ContainerLog; readonly stop: AbortController }>;

export function runPrograms(parts: ProgramParts): Programs {
  const { program, machines, clock } = parts;
  const processes: Processes = new Map();
  return {
    runs: (spec) => program?.isIn(spec) === true,
    controller: {
      name: 'programs',
      run: (site, ended) => {
        if (program === undefined) return;
        machines.onContainerStart((container) => {
          runIn({ ...parts, site, ended, processes }, program, container).catch((error) => {
            if (!ended.aborted) site.failed(error);
          });
        });
        machines.onContainerStop((id) => processes.get(id)?.stop.abort('SIGTERM'));
      },
    },
    answer(request, answered, signal) {
      // Every other request is answered in as many steps as without programs.
      const podKey = program === undefined ? undefined : podOfLog(request);
      if (podKey === undefined) return answered;
      return answered.then((response) => {
        const container = machines.containersOf(podKey).find(({ id }) => processes.has(id));
        const log = processes.get(container?.id ?? '')?.log;
        if (response.status !== noKubelet || container === undefined || log === undefined) return response;
        const now = clock.wallAt();
        return logResponse({ request, log, container, now, isReachable: isOn(machines, container, now), signal });
      });
    },
  };
}

function isOn(machines: Machines, { instanceId }: Pick<Container, 'instanceId'>, at: number): boolean {
  const instance = machines.instance(instanceId);
  return instance !== undefined && isPoweredOn(instance, at);
}

interface Surroundings extends ProgramParts {
  readonly site: Site;
  readonly ended: AbortSignal;
  readonly processes: Processes;
}

async function runIn(around: Surroundings, program: ContainerProgram, container: Container): Promise<void> {
  const { machines, clock, site, ended, processes } = around;
  const { id, name, podKey, startsAt, instanceId } = container;
  const pod = site.cache.get('Pod', podKey);
  const spec = pod?.spec.containers.find((one) => one.name === name);
  if (pod === undefined || spec === undefined || !program.isIn(spec)) return;
  // The wall clock has whole milliseconds, and a start lies between two.
  await clock.sleep((Math.ceil(startsAt) - clock.wallAt()) / 1000, ended);
  const isAlive = (): boolean => {
    const now = machines.container(id);
    return now !== undefined && isRunning(now, clock.wallAt()) && isOn(machines, now, clock.wallAt());
  };
  if (!isAlive()) return;
  const [log, stop] = [containerLog(), new AbortController()];
  processes.set(id, { log, stop });
  const process = processOf(around, { pod, container, spec, log, stop: stop.signal, isAlive });
  const exited = program.main(process).then((code) => {
    // A container that had to stop ends when its kubelet says so.
    if (isAlive() && !stop.signal.aborted) machines.crash(id, code);
  });
  exited.catch(site.failed);
  while (isAlive()) await clock.sleep(lookSeconds, ended);
  // A machine that is off reports nothing.
  if (isOn(machines, { instanceId }, clock.wallAt())) log.end();
}

interface Running extends Pick<ContainerProcess, 'stop' | 'isAlive'> {
  readonly pod: Pod;
  readonly container: Container;
  readonly spec: ContainerSpec;
  readonly log: ContainerLog;
}

function processOf(around: Surroundings, { pod, container, spec, log, stop, isAlive }: Running): ContainerProcess {
  const { machines, clock, site, dataPlane, random } = around;
  const { id, podKey, instanceId } = container;
  return {
    args: spec.args ?? [],
    environment: environmentOf(pod, spec),
    zone: machines.instance(instanceId)?.zone ?? '',
    clock,
    random: (stream) => random(`${podKey} ${stream}`),
    get: (url, options) => dataPlane().get(url, options),
    resolve: (query) => dataPlane().resolve(query),
    stop,
    write: (text) => {
      if (isAlive()) log.write(text, clock.wallAt());
    },
    volumeFile: volumeFiles({
      spec,
      pod: () => site.cache.get('Pod', podKey),
      afterRefresh: (work) => site.after(site.delay('volumeRefresh'), work),
    }),
    endWith: (message) => {
      if (isAlive()) machines.setLastWords(id, message);
    },
    isAlive,
  };
}

interface VolumeFileParts {
  readonly spec: Pick<ContainerSpec, 'volumeMounts'>;
  /** The pod as its kubelet knows it now. */
  readonly pod: () => Pod | undefined;
  /** Calls `work` once a kubelet would have written a file of a volume again. */
  readonly afterRefresh: (work: () => void) => void;
}

/** The files of a container's downward API volumes: fields of its pod, written a moment after the pod has changed. */
export function volumeFiles({ spec, pod, afterRefresh }: VolumeFileParts): (path: string) => string | undefined {
  const there = pod();
  const fields = there === undefined ? new Map<string, string>() : shownFields(there, spec);
  const shown = new Map<string, string>();
  const coming = new Map<string, string>();
  const refresh = (path: string, field: string): void => {
    const now = pod();
    const text = (now && fieldOf(now, field)) ?? '';
    if (text === (coming.get(path) ?? '')) return;
    coming.set(path, text);
    afterRefresh(() => shown.set(path, text));
  };
  return (path) => {
    const field = fields.get(path);
    if (field === undefined) return undefined;
    refresh(path, field);
    return shown.get(path) ?? '';
  };
}

/**
 * A field of a pod that the downward API can show (core/v1, ObjectFieldSelector): a label or an annotation; undefined
 * where the pod has none.
 */
function fieldOf({ metadata }: Pod, fieldPath: string): string | undefined {
  const [, kind, key = ''] = /^metadata\.(labels|annotations)\['(.+)'\]$/.exec(fieldPath) ?? [];
  return kind === undefined ? undefined : metadata[kind as 'labels' | 'annotations']?.[key];
}

/** The environment of a container: literal values, and fields of its pod as they are when it starts. */
export function environmentOf(pod: Pod, { env = [] }: Pick<ContainerSpec, 'env'>): Readonly<Record<string, string>> {
  return Object.fromEntries(
    env.flatMap(({ name, value, valueFrom }) => {
      const { fieldRef } = (valueFrom ?? {}) as { readonly fieldRef?: { readonly fieldPath: string } };
      const text = fieldRef === undefined ? value : fieldOf(pod, fieldRef.fieldPath);
      return text === undefined ? [] : [[name, text]];
    }),
  );
}

/** The files of a container's downward API volumes: the path of each, and the field that it shows. */
export function shownFields(
  { spec }: Pod,
  { volumeMounts = [] }: Pick<ContainerSpec, 'volumeMounts'>,
): ReadonlyMap<string, string> {
  const items = (volume: string) =>
    spec.volumes?.flatMap(({ name, downwardAPI }) => (name === volume ? (downwardAPI?.items ?? []) : [])) ?? [];
  return new Map(
    volumeMounts.flatMap(({ name, mountPath }) =>
      items(name).map(({ path, fieldRef }) => [`${mountPath}/${path}`, fieldRef.fieldPath] as const),
    ),
  );
}
