import { createProgram } from '../../src/cli/arguments.ts';
import { embeddedHoldfast } from '../../src/cli/cluster/embedded-holdfast.ts';
import type { Host } from '../../src/host/host.ts';
import type { EmbeddedProcess, EmbeddedProgram } from '../../src/rehearsal/container-host.ts';
// Loaded before virtual time begins.
import '../../src/cli/cluster/load-worker.ts';
import '../../src/cli/commands/monitor.ts';

/**
 * The program of the probe pods and of a load's workers, as `rehearse` hands it to the embedded cluster; `process` may
 * be changed before it runs.
 */
export function probeProgram(
  changed: (process: EmbeddedProcess) => EmbeddedProcess = (process) => process,
): EmbeddedProgram {
  const holdfast = (host: Host, argv: readonly string[], environment: Readonly<Record<string, string | undefined>>) =>
    createProgram({ host, environment, version: '0.0.0' }).run(argv);
  const program = embeddedHoldfast({ holdfast }, {});
  if (program === undefined) throw new Error('there is no program');
  return { ...program, main: (process) => program.main(changed(process)) };
}
