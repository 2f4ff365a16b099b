import type { Command } from '../../host/host.ts';

/**
 * A git command that runs no hook and no file system monitor, and starts no garbage collection (docs/facts/git.md,
 * "Environment").
 */
export function git(...words: readonly string[]): Command {
  return ['git', ...guards, ...words];
}

/** A line of a shell without the options that only guard holdfast's git: as a person would type it. */
export function withoutGuards(line: string): string {
  return line.replaceAll(`git ${guards.join(' ')} `, 'git ');
}

const guards: readonly string[] = [
  // What git writes into .git is on the disk when it exits.
  ...['-c', 'core.fsync=all'],
  ...['-c', 'core.hooksPath=/dev/null'],
  ...['-c', 'core.fsmonitor=false'],
  ...['-c', 'gc.auto=0'],
  ...['-c', 'maintenance.auto=false'],
];
