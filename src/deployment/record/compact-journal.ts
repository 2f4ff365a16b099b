import type { Files } from '../../host/host.ts';
import { readJournal } from '../../journal/journal.ts';
import type { DeploymentFact } from './events.ts';
import { isDeploymentFact } from './fact-shape.ts';
import { runsOf } from './history.ts';

/** A journal of half a megabyte is read and parsed in a few milliseconds. */
const largeBytes = 512 * 1024;
/** Enough history for a person, and for the last verified commit. */
const keptRuns = 200;
const keptUneventful = 20;

/**
 * Shortens a large journal. Runs that found nothing to do, such as a timer's, are dropped first. Call only under the
 * lock.
 */
export async function compactJournal(files: Files, path: string): Promise<void> {
  if (((await files.stat(path))?.sizeBytes ?? 0) < largeBytes) return;
  const facts = (await readJournal<DeploymentFact>(files, path, isDeploymentFact))?.facts ?? [];
  const kept = keptFacts(facts);
  await files.replace(path, kept.map((fact) => `${JSON.stringify(fact)}\n`).join(''), { mode: 0o600 });
}

/** All facts of the runs that are kept. */
export function keptFacts(facts: readonly DeploymentFact[]): readonly DeploymentFact[] {
  const runs = runsOf(facts);
  const isEventful = ({ reset, document }: (typeof runs)[number]) => reset !== undefined || document === undefined;
  const kept = new Set([
    ...runs.filter(isEventful).slice(-keptRuns),
    ...runs.filter((run) => !isEventful(run)).slice(-keptUneventful),
  ]);
  const ids = new Set([...kept].map(({ id }) => id));
  return facts.filter(({ run }) => ids.has(run));
}
