import { connect } from '../../cluster/client.ts';
import { UsageError } from '../../host/errors.ts';
import type { Host } from '../../host/host.ts';
import { openJournal, readJournal } from '../../journal/journal.ts';
import { apiServerUrl, rehearsalHost } from '../../rehearsal/host.ts';
import type { ValidationFact } from '../../validation/events.ts';
import { openIntents } from '../../validation/open-intents.ts';
import { runStarted } from '../../validation/records.ts';
import { type Recovered, recover as recoverRun } from '../../validation/recover.ts';
import { runFiles } from '../../validation/run-folder.ts';
import type { Perform } from '../command.ts';
import { exitCodes } from '../exit-codes.ts';

/** `recover [RUN]`: undoes what an interrupted run left, in a new process, with nothing but the run folder and the API. */
export const recover: Perform = async (context, { operands, options }) => {
  const { host } = context;
  const folder = operands[0] ?? (await newestOpenRun(host));
  if (folder === undefined) {
    host.out.write('Nothing to recover: no run in runs/ has anything left to undo.\n');
    return exitCodes.done;
  }
  const read = await readJournal<ValidationFact>(host.files, `${folder}/${runFiles.journal}`);
  if (read === undefined) throw new UsageError([`${folder} holds no run: a run folder has a journal.jsonl.`]);
  if (openIntents(read.facts).length === 0) {
    host.out.write(`Nothing to recover: ${folder} left nothing to undo.\n`);
    return exitCodes.done;
  }
  if (runStarted(read.facts)?.run.kind !== 'rehearsal')
    throw new UsageError([`${folder} is of a real cluster, which this version cannot recover.`]);
  const recovered = await recoverRehearsal(host, folder, read.facts, options.cleanup === true);
  if (recovered === undefined) {
    host.out.write(`Nothing to recover: the embedded cluster of ${folder} ended with its process.\n`);
    return exitCodes.done;
  }
  for (const { intent, undo } of recovered)
    host.out.write(`${undo.state}: ${intent.action} of ${intent.subject}: ${undo.because}\n`);
  return recovered.some(({ undo }) => undo.state === 'failed') ? exitCodes.notUndone : exitCodes.done;
};

async function recoverRehearsal(
  real: Host,
  folder: string,
  facts: readonly ValidationFact[],
  cleanup: boolean,
): Promise<readonly Recovered[] | undefined> {
  const saved = await real.files.read(`${folder}/${runFiles.world}`);
  if (saved === undefined) return undefined;
  const rehearsal = rehearsalHost({ seed: String(runStarted(facts)?.run.seed ?? 1), real, saved: JSON.parse(saved) });
  const recovered = await rehearsal.run(async () => {
    const journal = await openJournal<ValidationFact>(rehearsal.host, `${folder}/${runFiles.journal}`);
    const site = { host: rehearsal.host, cluster: connect(rehearsal.host, { server: apiServerUrl }) };
    const ends = await recoverRun(site, facts, journal, { cleanup });
    await journal.close();
    return ends;
  });
  await real.files.replace(`${folder}/${runFiles.world}`, `${JSON.stringify(rehearsal.world.save())}\n`);
  return recovered;
}

/** Run folders sort by time. */
async function newestOpenRun({ files }: Host): Promise<string | undefined> {
  const folders = (await files.list('runs')).toSorted().reverse();
  for (const name of folders) {
    const read = await readJournal<ValidationFact>(files, `runs/${name}/${runFiles.journal}`);
    if (read !== undefined && openIntents(read.facts).length > 0) return `runs/${name}`;
  }
  return undefined;
}
