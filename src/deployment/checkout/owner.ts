import type { Files, Host } from '../../host/host.ts';

/** The process that holds a lock: enough to decide whether it still runs, and for a person to find it. */
export interface Owner {
  /** Unique for every acquisition, also by the same process. */
  readonly token: string;
  readonly pid: number;
  /**
   * The process's start in clock ticks after boot (proc(5), field 22): with the boot id it identifies a process for
   * ever.
   */
  readonly startTicks: string;
  readonly bootId: string;
  readonly hostName: string;
  /** Start of process 1: it differs in another container, whose process ids mean other processes. */
  readonly firstProcess: string;
  readonly userId: number;
  readonly acquiredAt: string;
}

/** This process as an owner, from `/proc`. */
export async function identify(host: Pick<Host, 'files' | 'clock' | 'random'>): Promise<Owner> {
  const self = (await host.files.realPath('/proc/self')) ?? '/proc/self';
  const pid = Number(self.slice(self.lastIndexOf('/') + 1));
  const [startTicks, bootId, hostName, folder, firstProcess = ''] = await Promise.all([
    startTicksOf(host.files, pid),
    kernelText(host.files, 'random/boot_id'),
    kernelText(host.files, 'hostname'),
    host.files.stat(self),
    startTicksOf(host.files, 1),
  ]);
  const random = Math.floor(host.random('deployment-lock')() * 0x1_0000_0000).toString(16);
  return {
    token: [pid, startTicks, random.padStart(8, '0')].join('-'),
    pid,
    startTicks: startTicks ?? '',
    bootId,
    hostName,
    firstProcess,
    userId: folder?.uid ?? -1,
    acquiredAt: new Date(host.clock.wallAt()).toISOString(),
  };
}

/**
 * True only where it is certain: the same machine after another boot, or the same process namespace without that
 * process.
 */
export async function isProvablyDead(files: Files, owner: Owner, self: Owner): Promise<boolean> {
  if (owner.hostName !== self.hostName) return false;
  if (owner.bootId !== self.bootId) return true;
  if (owner.firstProcess !== self.firstProcess) return false;
  return (await startTicksOf(files, owner.pid)) !== owner.startTicks;
}

/** Start of a process in clock ticks after boot; undefined when there is no such process, or it is a zombie. */
export async function startTicksOf(files: Files, pid: number): Promise<string | undefined> {
  const text = await files.read(`/proc/${pid}/stat`).catch(() => undefined);
  // The second field is the program's name in brackets, and may itself hold spaces and brackets.
  const [state, ...fields] = text?.slice(text.lastIndexOf(')') + 2).split(' ') ?? [];
  return state === 'Z' || state === 'X' ? undefined : fields[18];
}

async function kernelText(files: Files, name: string): Promise<string> {
  return ((await files.read(`/proc/sys/kernel/${name}`)) ?? '').trim();
}
