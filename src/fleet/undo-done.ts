import { inParallel } from '../host/in-parallel.ts';
import { aroundServer } from './around-server.ts';
import { type CommandDocument, endWithout, type ServerDocument, type ServerEnd } from './document.ts';
import { isDone } from './exit-code.ts';
import { type Fleet, mostConnections } from './fleet.ts';
import type { Documents, ReadyServer } from './place.ts';
import { runOnServer } from './run-on-server.ts';

/**
 * `--all-or-nothing`: every server that is done goes back to its own previous commit, the last batch first, with as
 * many at once as before.
 */
export async function undoDone(
  fleet: Fleet,
  batches: readonly (readonly ReadyServer[])[],
  documents: Documents,
): Promise<void> {
  for (const batch of batches.toReversed()) {
    await inParallel(
      batch.filter(({ server }) => isChanged(documents.get(server))),
      mostConnections,
      (place) => undo(fleet, place, documents),
    );
  }
}

function isChanged(document: ServerDocument | undefined): boolean {
  if (document === undefined || !isDone(document)) return false;
  return document.state !== 'unchanged' && document.newCommit !== document.previousCommit;
}

async function undo(fleet: Fleet, { server, checked }: ReadyServer, documents: Documents): Promise<void> {
  const document = documents.get(server);
  if (document === undefined) return;
  fleet.onFact({ server: server.name, phase: 'undoing', said: 'going back, because another server has failed' });
  const { end, drain, restore } = await aroundServer(fleet, server, () => goBack(fleet, { server, checked }, document));
  const around = { drain: worse(document.drain, drain), restore: worse(document.restore, restore) };
  documents.set(server, { ...document, ...around, undone: end });
  const isBack = end.exitCode === 0;
  const said = isBack ? `back at ${document.previousCommit?.slice(0, 7)}` : `not undone: ${end.because ?? end.state}`;
  fleet.onFact({ server: server.name, phase: isBack ? 'done' : 'failed', said });
}

async function goBack(
  fleet: Fleet,
  { server, checked }: ReadyServer,
  { previousCommit }: ServerDocument,
): Promise<ServerEnd> {
  if (previousCommit === null)
    return endWithout('rollback-failed', 5, 'it was the first deploy, and there is no commit to go back to');
  return runOnServer(fleet, server, checked, { command: 'rollback', words: [previousCommit] });
}

/** The one that failed, or the last one. */
function worse(first: CommandDocument | null, second: CommandDocument | null): CommandDocument | null {
  return first !== null && first.exitCode !== 0 ? first : second;
}
