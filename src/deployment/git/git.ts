import type { Command } from '../../host/host.ts';

/** A git command that runs no hook or monitor of the checkout's configuration and starts no clean-up in the background. */
export function git(...words: readonly string[]): Command {
  return ['git', ...guards, ...words];
}

const guards: readonly string[] = [
  // What git says it has done is on the disk, whatever happens to the machine.
  ...['-c', 'core.fsync=all'],
  ...['-c', 'core.hooksPath=/dev/null'],
  ...['-c', 'core.fsmonitor=false'],
  ...['-c', 'gc.auto=0'],
  ...['-c', 'maintenance.auto=false'],
];
