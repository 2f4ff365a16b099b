import type { Files } from '../../host/host.ts';
import { isProvablyDead, type Owner } from './owner.ts';

export interface Lock {
  /** The dead owner whose lock was taken over. */
  readonly predecessor?: Owner;
  release(): Promise<void>;
}
export type Acquired = { readonly lock: Lock } | { readonly heldBy: Owner | undefined };

/**
 * Takes the deployment lock in this folder, or says who has it; `heldBy` is undefined where the record cannot be read.
 * A lock is taken over only from an owner that is provably dead, and by one process only: the successor of an owner is
 * whoever makes the file that is named after that owner's token.
 */
export async function acquireLock(files: Files, folder: string, self: Owner): Promise<Acquired> {
  for (let attempt = 0; attempt < attempts; attempt++) {
    const acquired = await tryToAcquire(files, folder, self);
    if (acquired !== undefined) return acquired;
  }
  return { heldBy: await lockOwner(files, folder) };
}

/** Each attempt fails only because another process got on with it. */
const attempts = 20;

/** Undefined when another process got on with it in between. */
async function tryToAcquire(files: Files, folder: string, self: Owner): Promise<Acquired | undefined> {
  const path = `${folder}/lock.json`;
  if (await files.create(path, JSON.stringify(self))) return { lock: lockOf(files, path, self) };
  const text = await files.read(path);
  if (text === undefined) return undefined;
  const line = await succession(files, folder, parseOwner(text));
  const last = line.at(-1);
  if (last === undefined || !(await isProvablyDead(files, last, self))) return { heldBy: last };
  return (await succeed(files, folder, line, self)) ? { lock: lockOf(files, path, self, last) } : undefined;
}

/** Who holds the lock now, dead or alive. */
export async function lockOwner(files: Files, folder: string): Promise<Owner | undefined> {
  const text = await files.read(`${folder}/lock.json`);
  return text === undefined ? undefined : (await succession(files, folder, parseOwner(text))).at(-1);
}

function lockOf(files: Files, path: string, self: Owner, predecessor?: Owner): Lock {
  return {
    ...(predecessor === undefined ? {} : { predecessor }),
    async release() {
      const owner = parseOwner((await files.read(path)) ?? '');
      if (owner?.token === self.token) await files.remove(path);
    },
  };
}

/** The owner in the lock, then each successor that died before it had put its own name there. */
async function succession(files: Files, folder: string, first: Owner | undefined): Promise<readonly Owner[]> {
  const line: Owner[] = [];
  let owner = first;
  while (owner !== undefined && line.length < attempts) {
    line.push(owner);
    const text = await files.read(successorPath(folder, owner));
    if (text === undefined) break;
    owner = parseOwner(text);
    if (owner === undefined) return [];
  }
  return line;
}

/** True when this process is the one successor, and its name is in the lock. */
async function succeed(files: Files, folder: string, line: readonly Owner[], self: Owner): Promise<boolean> {
  const [first, last] = [line[0], line.at(-1)];
  if (first === undefined || last === undefined) return false;
  const path = successorPath(folder, last);
  if (!(await files.create(path, JSON.stringify(self)))) return false;
  // Another successor may have finished, and tidied up, since the line was read.
  const inLock = parseOwner((await files.read(`${folder}/lock.json`)) ?? '');
  if (inLock?.token !== first.token) {
    await files.remove(path);
    return false;
  }
  await files.replace(`${folder}/lock.json`, JSON.stringify(self));
  for (const owner of line) await files.remove(successorPath(folder, owner));
  return true;
}

function successorPath(folder: string, owner: Owner): string {
  return `${folder}/successor-of-${owner.token}.json`;
}

/** Undefined when the text is not an owner's record: then nobody can be proved dead. */
function parseOwner(text: string): Owner | undefined {
  try {
    const owner: unknown = JSON.parse(text);
    return isOwner(owner) ? owner : undefined;
  } catch {
    return undefined;
  }
}

function isOwner(value: unknown): value is Owner {
  const { token, pid, startTicks, bootId } = (value ?? {}) as Partial<Owner>;
  return (
    /^[\w-]+$/.test(String(token)) &&
    Number.isInteger(pid) &&
    typeof startTicks === 'string' &&
    typeof bootId === 'string'
  );
}
