import { askAgain } from './ask-again.ts';
import type { Checked } from './check-server.ts';
import { endWithout, type ServerEnd } from './document.ts';
import type { Fleet, Task } from './fleet.ts';
import { documentsIn, onServer, saidBy } from './remote.ts';
import { isServerEnd } from './remote-documents.ts';
import { notAfterLine, programLine, tooLate } from './remote-script.ts';
import type { Server } from './server.ts';

/** From the sending of the script to its start. */
const arrivalSeconds = 60;

/**
 * Runs the command on the server until its end is known: by its own answer, or by asking again where the connection was
 * lost.
 */
export async function runOnServer(
  fleet: Fleet,
  server: Server,
  checked: Extract<Checked, { clockAheadSeconds: number }>,
  task: Task,
): Promise<ServerEnd> {
  const { remote, settings, onFact } = fleet;
  const id = runId(fleet);
  const notAfter = remote.host.clock.monotonicSeconds() + checked.clockAheadSeconds + arrivalSeconds;
  const line = programLine(server, task.command, [...task.words, `--run-id=${id}`]);
  const answer = await onServer(remote, server, [notAfterLine(notAfter), line], settings.timeout);
  const end = documentsIn(answer).find((one) => one.id === id && isServerEnd(one)) as ServerEnd | undefined;
  if (end !== undefined) return end;
  // The program's own answers before a run: a mistake in the settings, and a script that was too late.
  if (answer.exitCode === 2) return endWithout('aborted', 2, saidBy(answer));
  if (answer.exitCode === tooLate)
    return endWithout('not-begun', 1, 'the command arrived too late there, and nothing was begun');
  onFact({ server: server.name, phase: 'asking', said: `no answer (${saidBy(answer)}), asking how it ended` });
  return askAgain(fleet, server, { id, notAfter });
}

/** As the program makes them itself, so that `holdfast show` finds the run there. */
function runId({ remote: { host } }: Fleet): string {
  const time = new Date(host.clock.wallAt()).toISOString().replace(/[-:]|\.\d+/g, '');
  const random = Math.floor(host.random('fleet-run')() * 0x1_0000).toString(16);
  return `${time}-${random.padStart(4, '0')}`;
}
