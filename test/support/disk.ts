import { existsSync, readFileSync, statSync } from 'node:fs';
import type { Around } from './tapped-host.ts';

/** How many bytes of an appended file were written, and how many of them survive a power loss. */
export interface Kept {
  readonly written: number;
  readonly synced: number;
}

/** What is on disk of the appended files: a power loss takes what was not synced. */
export interface Disk {
  readonly around: Around;
  /** By path. */
  readonly now: () => ReadonlyMap<string, Kept>;
}

export function watchDisk(): Disk {
  const files = new Map<string, Kept>();
  return {
    now: () => new Map(files),
    around: async ({ file }, make) => {
      const before = file && files.get(file.path);
      const ended = await make();
      if (file?.done === 'opened') files.set(file.path, existing(file.path));
      if (file?.done === 'written') grow(files, file.path, Buffer.byteLength(file.text ?? ''));
      // What is written while the sync is under way may not be in it.
      if (file?.done === 'synced') files.set(file.path, synced(files.get(file.path), before));
      return ended;
    },
  };
}

function existing(path: string): Kept {
  const bytes = statSync(path).size;
  return { written: bytes, synced: bytes };
}

function grow(files: Map<string, Kept>, path: string, bytes: number): void {
  const { written, synced: safe } = files.get(path) ?? { written: 0, synced: 0 };
  files.set(path, { written: written + bytes, synced: safe });
}

const synced = (now: Kept = { written: 0, synced: 0 }, before: Kept = now): Kept => ({
  written: now.written,
  synced: Math.max(now.synced, before.written),
});

/**
 * What becomes of bytes that were not synced: `killed` keeps them all, `power` loses them all, `torn` keeps a random
 * part.
 */
export const losses = ['killed', 'power', 'torn'] as const;
export type Loss = (typeof losses)[number];

export function survivingBytes({ written, synced: safe }: Kept, loss: Loss, random: () => number): number {
  if (loss === 'killed') return written;
  return loss === 'power' ? safe : safe + Math.floor(random() * (written - safe + 1));
}

/** The beginning of the file. */
export const firstBytes = (path: string, bytes: number): Buffer => readFileSync(path).subarray(0, bytes);

/** Files as they are, all of them on disk. */
export const asTheyAre = (...paths: readonly string[]): ReadonlyMap<string, Kept> =>
  new Map(paths.filter((path) => existsSync(path)).map((path) => [path, existing(path)]));
