import type { Command } from '../../host/host.ts';

/**
 * The command that runs this line of a shell for the paths on its standard input, `"$@"` in it: words of one command
 * would be too long for many of them.
 */
export function eachWith(line: string): Command {
  return ['xargs', '-0', '--no-run-if-empty', 'sh', '-c', line, 'sh'];
}

/** The paths as `xargs -0`, `tar --null` and git's `-z` read them. */
export function nulEnded(paths: readonly string[]): string {
  return paths.map((path) => `${path}\0`).join('');
}
