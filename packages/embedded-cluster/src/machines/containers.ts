/** One container. Members that end in `At` are the instants at which something happens to it, epoch milliseconds. */
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
  /** It has a page for every path, whatever its image, because the content of the image is unknown. */
  readonly hasEveryPage?: true;
  /** For an application of the user: the cost of a request, and the CPU that it may use. */
  readonly cpu?: { readonly secondsPerRequest: number; readonly cores: number };
  /** While requests wait longer than a probe may: what its kubelet's probes have found since. */
  readonly strain?: Strain;
  /** How often it was restarted: `restartCount`. */
  readonly restarts: number;
  /** What it has written to its termination log. */
  readonly lastWords?: string;
  /** Consecutive exits without a stop request before this start: what CrashLoopBackOff counts. */
  readonly crashes?: number;
  /** How its predecessor ended: `lastState`. */
  readonly last?: Ended;
  readonly createdAt: number;
  /** Its image is not on the machine, and does not come: it never starts. */
  readonly unpulled?: Unpulled;
  readonly startsAt: number;
  readonly listensAt: number;
  /** When the kubelet's relist finds it running. */
  readonly seenAt: number;
  /** The grace period of the last stop request. */
  readonly stopGraceSeconds?: number;
  /** It was told to end and says so to its readiness probe, while it serves on. */
  readonly unhealthyAt?: number;
  /** Its sockets are closed. */
  readonly closesAt?: number;
  readonly exitsAt?: number;
  readonly exitCode?: number;
  /** Its kubelet has cleaned up. */
  readonly reapedAt?: number;
  /** The pod's sandbox is gone with it: from then on nothing answers at the pod's address. */
  readonly silentAt?: number;
}

/** Why an image is not on the machine of a container. */
export interface Unpulled {
  readonly reason: 'ErrImagePull' | 'ErrImageNeverPull' | 'InvalidImageName';
  /** When its kubelet finds that, epoch milliseconds. */
  readonly failsAt: number;
}

/** An instant that never comes, epoch milliseconds; a saved world cannot have an infinite one. */
export const never = 8.64e15;

/** Results in a row of a probe. */
export interface InARow {
  readonly failures: number;
  readonly successes: number;
}

/** What the probes of a container find whose requests wait. */
export interface Strain {
  /** The probes up to this instant are counted, epoch milliseconds. */
  readonly countedUntil: number;
  readonly readiness: InARow;
  readonly liveness: InARow;
  /** Since when it is not ready because of that, epoch milliseconds. */
  readonly unreadySince?: number;
}

/** How a container ended. */
export interface Ended {
  readonly exitCode: number;
  readonly reason: string;
  /** Epoch milliseconds. */
  readonly finishedAt: number;
  /** Its last words. */
  readonly message?: string;
}

/** SIGKILL without a stop request is the kernel's: out of memory. */
export function endOfLife({ exitCode = 0, exitsAt = 0, stopGraceSeconds, lastWords }: Container): Ended {
  const isOutOfMemory = exitCode === killedExitCode && stopGraceSeconds === undefined;
  const reason = exitCode === 0 ? 'Completed' : isOutOfMemory ? 'OOMKilled' : 'Error';
  return { exitCode, reason, finishedAt: exitsAt, ...(lastWords === undefined ? {} : { message: lastWords }) };
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

/**
 * What a program does on SIGTERM: it closes its sockets and ends, answers on until it ends, or answers on until it is
 * killed.
 */
export type OnSigterm = 'closes' | 'answers' | 'ignores';

/** How a container is stopped. */
export interface Stopping {
  readonly preStopSeconds: number;
  /**
   * When its turn has come, epoch milliseconds: it gets no signal before, unless the grace period is over; at once if
   * absent.
   */
  readonly turnAt?: number;
  /** For preStop and the stop signal together; then SIGKILL. */
  readonly graceSeconds: number;
  /** How long the program still listens after the signal. */
  readonly lingersSeconds: number;
  /** From the closed sockets to the exit. */
  readonly quitsSeconds: number;
  /** From the exit to the end of the kubelet's clean-up. */
  readonly reapedSeconds: number;
  /** From the exit to the end of the pod's sandbox; absent if the pod lives on. */
  readonly silencedSeconds?: number;
  /** From the first moment on it says that it is not healthy. */
  readonly failsHealth?: true;
  /** Of a program that has quit on the stop signal; 0 if absent. */
  readonly exitCode?: number;
}

/**
 * kuberuntime_container.go: what is left for the process when the preStop hook or the wait for its turn has used up the
 * grace period.
 */
const minimumGraceSeconds = 2;
/** 128 + SIGKILL. */
export const killedExitCode = 137;
/** 128 + SIGTERM: of a program that was stopped in the middle of its work. */
export const interruptedExitCode = 143;

/**
 * The container with its end: preStop hook, stop signal, SIGKILL when the grace period is over (Kubernetes, Pod
 * lifecycle).
 */
export function stopped(container: Container, at: number, how: Stopping): Container {
  const { closesAt, exitsAt, exitCode } = endOf(container, at, how);
  const unhealthy = how.failsHealth ? { unhealthyAt: container.unhealthyAt ?? at } : {};
  const silent = how.silencedSeconds === undefined ? {} : { silentAt: exitsAt + 1000 * how.silencedSeconds };
  const end = { closesAt, exitsAt, exitCode, reapedAt: exitsAt + 1000 * how.reapedSeconds, ...silent };
  const isSooner = exitsAt < (container.exitsAt ?? Number.POSITIVE_INFINITY);
  return {
    ...container,
    ...unhealthy,
    stopGraceSeconds: how.graceSeconds,
    ...(isSooner ? end : { reapedAt: container.reapedAt ?? end.reapedAt }),
  };
}

function endOf(container: Container, at: number, how: Stopping) {
  const { exitCode = 0 } = how;
  if (at < container.startsAt) return { closesAt: at, exitsAt: at, exitCode };
  const preStopSeconds = Math.min(how.preStopSeconds, how.graceSeconds);
  const graceEndsAt = at + 1000 * how.graceSeconds;
  const signalledAt = Math.min(Math.max(at + 1000 * preStopSeconds, how.turnAt ?? at), graceEndsAt);
  const killedAt = Math.max(graceEndsAt, signalledAt + 1000 * minimumGraceSeconds);
  const closesAt = Math.min(signalledAt + 1000 * how.lingersSeconds, killedAt);
  const quitAt = closesAt + 1000 * how.quitsSeconds;
  const exitsAt = Math.min(quitAt, killedAt);
  return { closesAt, exitsAt, exitCode: quitAt <= killedAt ? exitCode : killedExitCode };
}
