import { type Journal, openJournal } from '../../journal/journal.ts';
import { type ReadRun, readRun } from '../../validation/judge/read-run.ts';
import type { ValidationFact } from '../../validation/record/events.ts';
import { runFiles } from '../../validation/record/run-folder.ts';
import type { Context } from '../command/context.ts';
import { judgedAssumptions } from '../manifests/assumptions.ts';
import type { OwnManifests } from '../manifests/read-own.ts';
import { type RehearsalOrder, verdictOf } from './rehearsal-run.ts';

/** Finds by further rehearsals where the verdict turns with each assumption, and adds that to the journal of the run. */
export async function withAssumptions(
  context: Context,
  order: RehearsalOrder & { readonly own: OwnManifests },
  folder: string,
  made: ReadRun,
): Promise<ReadRun> {
  const { host } = context;
  const { startedAt, finishedAt } = made.result.run;
  // The search is no part of the run: its facts have the time of the run's end.
  const clock = { ...host.clock, wallAt: () => Date.parse(finishedAt ?? startedAt) };
  const journal = await openJournal<ValidationFact>({ files: host.files, clock }, `${folder}/${runFiles.journal}`);
  try {
    await recordAssumptions(context, order, made, journal);
  } finally {
    await journal.close();
  }
  return (await readRun(host.files, folder)) ?? made;
}

/** A signal ends the search, and the report of the run is made as it is. */
async function recordAssumptions(
  context: Context,
  order: RehearsalOrder & { readonly own: OwnManifests },
  { result: { verdict } }: ReadRun,
  journal: Pick<Journal<ValidationFact>, 'record'>,
): Promise<void> {
  const { host, flags } = context;
  const { kind, name } = order.own.application;
  const asked = { application: `${kind}/${name}`, settings: order.settings, verdict };
  const print = (text: string): void => {
    if (!flags.quiet) host.talk.write(`${text}\n`);
  };
  const stop = new AbortController();
  const forget = host.onSignal(['SIGINT', 'SIGTERM', 'SIGHUP'], () => stop.abort());
  const verdictWith = async (settings: RehearsalOrder['settings']) => {
    stop.signal.throwIfAborted();
    return verdictOf(context, { ...order, settings });
  };
  try {
    for await (const assumption of judgedAssumptions(asked, verdictWith, print))
      journal.record({ type: 'assumption-judged', assumption });
  } catch (error) {
    if (!stop.signal.aborted) throw error;
    print('stopped: where the verdict turns is not known for the other assumptions');
  } finally {
    forget();
  }
}
