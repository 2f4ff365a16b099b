import { type CommandDocument, endWithout, type ServerEnd } from './document.ts';
import type { Fleet } from './fleet.ts';
import { saidBy } from './remote.ts';
import type { Server } from './server.ts';

/** What was done with a server that load balancers know. */
export interface Around {
  readonly end: ServerEnd;
  readonly drain: CommandDocument | null;
  readonly restore: CommandDocument | null;
}

/**
 * Drains the server, does the work, and restores it in any case, also where the drain has failed: it may have done a
 * part.
 */
export async function aroundServer(fleet: Fleet, server: Server, work: () => Promise<ServerEnd>): Promise<Around> {
  const { drain: drainCommand, restore: restoreCommand } = fleet.settings;
  const drain = await runHere(fleet, server, 'draining', drainCommand);
  const drained = drain === null || drain.exitCode === 0;
  const end = drained ? await work() : endWithout('aborted', 1, `the drain command failed: ${drain.said}`);
  const restore = await runHere(fleet, server, 'restoring', restoreCommand);
  return { end: withRestore(end, restore), drain: documentOf(drain), restore: documentOf(restore) };
}

interface Ended extends CommandDocument {
  readonly said: string;
}

/** Null where the settings have no such command. The name of a server has no character that a shell reads. */
async function runHere(
  { remote, settings, onFact }: Fleet,
  server: Server,
  phase: 'draining' | 'restoring',
  command: string | undefined,
): Promise<Ended | null> {
  if (command === undefined) return null;
  onFact({ server: server.name, phase, said: phase });
  const shell = command.replaceAll('{host}', server.host);
  const answer = await remote.host.run(['sh', '-c', shell], {
    env: remote.environment,
    timeoutSeconds: settings.timeout,
  });
  const exitCode = answer.timedOut ? 124 : answer.exitCode;
  return { exitCode, seconds: answer.seconds, said: `${shell}: ${saidBy(answer)}` };
}

/** A server that was drained and could not be restored gets no visitors: a person has to restore it. */
function withRestore(end: ServerEnd, restore: Ended | null): ServerEnd {
  if (restore === null || restore.exitCode === 0) return end;
  const because = `the restore command failed, so that the server may get no visitors: ${restore.said}`;
  return { ...end, because: end.because === null ? because : `${end.because}. And ${because}` };
}

function documentOf(ended: Ended | null): CommandDocument | null {
  return ended === null ? null : { exitCode: ended.exitCode, seconds: ended.seconds };
}
