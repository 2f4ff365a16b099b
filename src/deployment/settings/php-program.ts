import type { Command } from '../../host/host.ts';
import type { Step } from './steps.ts';

/** The steps with their PHP run by this program: those whose program is `php`, and composer, which is written in PHP. */
export function byPhp(php: string, steps: readonly Step[]): readonly Step[] {
  return php === usual ? steps : steps.map((step) => ({ ...step, command: commandBy(php, step.command) }));
}

/** As the presets have it. */
const usual = 'php';

function commandBy(php: string, [program, ...words]: Command): Command {
  if (program === usual) return [php, ...words];
  if (program !== 'composer') return [program, ...words];
  // Its first line asks for the php of the PATH.
  return ['sh', '-c', 'exec "$0" "$(command -v composer)" "$@"', php, ...words];
}
