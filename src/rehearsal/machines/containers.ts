/** One container, as the instants at which things happen to it, epoch milliseconds. */
export interface Container {
  readonly id: string;
  /** `namespace/name` of its pod. */
  readonly podKey: string;
  readonly podUid: string;
  readonly name: string;
  readonly image: string;
  readonly instanceId: string;
  /** The pod's address. */
  readonly address: string;
  readonly ports: readonly number[];
  /** How often it was started again. */
  readonly restarts: number;
  /** How often in a row it ended by itself before. */
  readonly crashes?: number;
  /** How the one before it ended. */
  readonly last?: Ended;
  readonly createdAt: number;
  readonly startsAt: number;
  readonly listensAt: number;
  /** When the kubelet's relist finds it running. */
  readonly seenAt: number;
  /** The grace period that it was last asked to stop within. */
  readonly stopGraceSeconds?: number;
  /** Its sockets are closed. */
  readonly closesAt?: number;
  readonly exitsAt?: number;
  readonly exitCode?: number;
  /** Its kubelet has cleaned up after it. */
  readonly reapedAt?: number;
}

/** How a container ended. */
export interface Ended {
  readonly exitCode: number;
  readonly reason: string;
  /** Epoch milliseconds. */
  readonly finishedAt: number;
}

/** SIGKILL without anybody having asked it to stop: the kernel, out of memory. */
export function endOfLife({ exitCode = 0, exitsAt = 0, stopGraceSeconds }: Container): Ended {
  const isOutOfMemory = exitCode === killedExitCode && stopGraceSeconds === undefined;
  const reason = exitCode === 0 ? 'Completed' : isOutOfMemory ? 'OOMKilled' : 'Error';
  return { exitCode, reason, finishedAt: exitsAt };
}

export const isRunning = (container: Container, at: number): boolean =>
  at >= container.startsAt && at < (container.exitsAt ?? Number.POSITIVE_INFINITY);

export const hasExited = (container: Container, at: number): boolean =>
  at >= (container.exitsAt ?? Number.POSITIVE_INFINITY);

export const listensOn = (container: Container, port: number, at: number): boolean =>
  isRunning(container, at) &&
  at >= container.listensAt &&
  at < (container.closesAt ?? Number.POSITIVE_INFINITY) &&
  container.ports.includes(port);

/** How a container is stopped, in seconds. */
export interface Stopping {
  readonly preStopSeconds: number;
  /** preStop and signal together; then SIGKILL. */
  readonly graceSeconds: number;
  /** How long the program goes on listening after the signal. */
  readonly lingersSeconds: number;
  /** From closed sockets to the exit. */
  readonly quitsSeconds: number;
  /** From the exit to the end of the kubelet's cleaning up. */
  readonly reapedSeconds: number;
}

/** After a preStop hook that used the whole grace period the process still gets this long: kuberuntime_container.go. */
const leastGraceSeconds = 2;
const killedExitCode = 137;

/** The container with its end: preStop, then the signal, then SIGKILL when the grace period is over (Pod lifecycle). */
export function stopped(container: Container, at: number, how: Stopping): Container {
  const { closesAt, exitsAt, exitCode } = endOf(container, at, how);
  const end = { closesAt, exitsAt, exitCode, reapedAt: exitsAt + 1000 * how.reapedSeconds };
  const isSooner = exitsAt < (container.exitsAt ?? Number.POSITIVE_INFINITY);
  return {
    ...container,
    stopGraceSeconds: how.graceSeconds,
    ...(isSooner ? end : { reapedAt: container.reapedAt ?? end.reapedAt }),
  };
}

function endOf(container: Container, at: number, how: Stopping) {
  if (at < container.startsAt) return { closesAt: at, exitsAt: at, exitCode: 0 };
  const preStopSeconds = Math.min(how.preStopSeconds, how.graceSeconds);
  const signalledAt = at + 1000 * preStopSeconds;
  const killedAt = signalledAt + 1000 * Math.max(how.graceSeconds - preStopSeconds, leastGraceSeconds);
  const closesAt = Math.min(signalledAt + 1000 * how.lingersSeconds, killedAt);
  const quitAt = closesAt + 1000 * how.quitsSeconds;
  const exitsAt = Math.min(quitAt, killedAt);
  return { closesAt, exitsAt, exitCode: quitAt <= killedAt ? 0 : killedExitCode };
}
