import type { Cluster } from '../../cluster/cluster.ts';
import type { Clock, Host, HttpRequest, HttpResponse } from '../../host/host.ts';
import type { DataPlane } from '../data-plane/data-plane.ts';
import { createProbe } from '../data-plane/probe.ts';
import { type Container, isRunning } from '../machines/containers.ts';
import { isPoweredOn } from '../machines/instances.ts';
import type { Machines } from '../machines/machines.ts';
import { placeOf } from '../objects/cache.ts';
import { containerHost } from './container-host.ts';
import { type ContainerLog, containerLog } from './container-log.ts';
import { logResponse, podOfLog } from './pod-log.ts';
import type { EmbeddedProgram } from './program.ts';

export interface ProgramParts {
  readonly program?: EmbeddedProgram | undefined;
  readonly machines: Machines;
  readonly clock: Clock;
  readonly random: Host['random'];
  readonly dataPlane: () => DataPlane;
  readonly cluster: Pick<Cluster, 'get'>;
  readonly ended: AbortSignal;
  readonly failed: (error: unknown) => void;
}

/** The programs in the containers, and their logs. */
export interface Programs {
  /** The API server's answer, or where it has no kubelet to ask the log of a container whose program really runs. */
  answer(request: HttpRequest, answered: Promise<HttpResponse>, signal?: AbortSignal): Promise<HttpResponse>;
}

/** What the embedded API server answers where it would ask a kubelet. */
const noKubelet = 501;
/** How soon its log ends after a container has. */
const lookSeconds = 1;

/** Runs the program in each container that holds it, from the container's start to its end. */
export function runPrograms(parts: ProgramParts): Programs {
  const { program, machines, clock, failed, ended } = parts;
  const logs = new Map<string, ContainerLog>();
  if (program !== undefined)
    machines.onContainerStart((container) => {
      runIn(parts, program, container, logs).catch((error) => {
        if (!ended.aborted) failed(error);
      });
    });
  return {
    answer(request, answered, signal) {
      // Every other request is answered in as many steps as without programs.
      const podKey = program === undefined ? undefined : podOfLog(request);
      if (podKey === undefined) return answered;
      return answered.then((response) => {
        const container = machines.containersOf(podKey).find(({ id }) => logs.has(id));
        const log = logs.get(container?.id ?? '');
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

async function runIn(
  parts: ProgramParts,
  program: EmbeddedProgram,
  { id, name, podKey, startsAt, instanceId }: Container,
  logs: Map<string, ContainerLog>,
): Promise<void> {
  const { machines, clock, cluster, dataPlane, ended } = parts;
  const spec = (await cluster.get('Pod', placeOf(podKey)))?.spec.containers.find((one) => one.name === name);
  if (spec === undefined || !program.isIn(spec)) return;
  // The wall clock has whole milliseconds, and a start lies between two.
  await clock.sleep((Math.ceil(startsAt) - clock.wallAt()) / 1000, ended);
  const isAlive = (): boolean => {
    const container = machines.container(id);
    return container !== undefined && isRunning(container, clock.wallAt()) && isOn(machines, container, clock.wallAt());
  };
  if (!isAlive()) return;
  const log = containerLog();
  logs.set(id, log);
  const host = containerHost({
    clock,
    random: (stream) => parts.random(`${podKey} ${stream}`),
    probe: createProbe(clock, dataPlane),
    resolve: (query) => dataPlane().resolve(query),
    write: (text) => {
      if (isAlive()) log.write(text, clock.wallAt());
    },
    isAlive,
  });
  const zone = machines.instance(instanceId)?.zone ?? '';
  const exited = program.main({ args: spec.args ?? [], zone, host }).then((code) => machines.crash(id, code));
  exited.catch(parts.failed);
  while (isAlive()) await clock.sleep(lookSeconds, ended);
  // Of a machine that is off nobody hears that.
  if (isOn(machines, { instanceId }, clock.wallAt())) log.end();
}
