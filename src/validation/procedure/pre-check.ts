import type { Journal, Untimed } from '../../journal/journal.ts';
import { type Check, type CheckedRun, runCheck, unreachableServer } from '../checks/check.ts';
import { checks } from '../checks/index.ts';
import type { Finding } from '../finding.ts';
import type { ValidationFact } from '../record/events.ts';
import { journalOf } from '../record/of-applications.ts';
import { hasKarpenter, type Settings } from '../settings.ts';
import type { OpenRun, RunApplication } from './order.ts';

/**
 * Phase 1 of 4.1, mandatory: makes every check, records its finding, and returns the findings that stop the run. Writes
 * nothing to the cluster. Ends after the first check if the API server cannot be reached. Rejects with the signal's
 * reason when that is aborted.
 */
export async function preCheck(
  run: CheckedRun,
  journal: Pick<Journal<ValidationFact>, 'record'>,
  signal?: AbortSignal,
): Promise<readonly Finding[]> {
  const stopping: Finding[] = [];
  for (const check of checks.filter((one) => concerns(one, run.settings))) {
    const finding = await unlessAborted(runCheck(check, run), signal);
    journal.record({ type: 'check-finished', mandatory: check.mandatory, finding });
    if (check.mandatory && finding.severity === 'error') stopping.push(finding);
    // Every other check would wait as long and fail alike. A server that answered once may answer again, so only the
    // first check ends it.
    if (check === checks[0] && finding.id === unreachableServer) break;
  }
  return stopping;
}

/** The same for each application of a run. What is found alike for several is recorded once. */
export async function preCheckAll(open: OpenRun): Promise<readonly Finding[]> {
  const { applications, journal, interruption, run } = open;
  const checked = ({ settings }: RunApplication) => ({ ...open, settings, holder: run.id });
  const [first, ...further] = applications;
  if (further.length === 0) return preCheck(checked(first), journal, interruption.signal);
  const found = new Map<string, { readonly fact: Untimed<ValidationFact>; readonly of: string[] }>();
  const stopping: Finding[] = [];
  for (const one of applications) {
    const record = (fact: Untimed<ValidationFact>): void => {
      const text = JSON.stringify(fact);
      const known = found.get(text) ?? { fact, of: [] };
      known.of.push(one.name);
      found.set(text, known);
    };
    stopping.push(...(await preCheck(checked(one), { record }, interruption.signal)));
  }
  for (const { fact, of } of found.values())
    (of.length === applications.length ? journal : journalOf(journal, of)).record(fact);
  return stopping;
}

function concerns({ ofKarpenter, ofRoute, ofOwner }: Check, settings: Settings): boolean {
  if (ofOwner && settings.manifests !== 'none') return false;
  return (!ofKarpenter || hasKarpenter(settings)) && (!ofRoute || settings.httpRoute !== undefined);
}

/**
 * A check changes nothing, so an abort does not wait for one under way: against an API server that hangs it takes
 * minutes.
 */
async function unlessAborted<T>(looking: Promise<T>, signal: AbortSignal | undefined): Promise<T> {
  const aborted = Promise.withResolvers<never>();
  const abort = () => aborted.reject(signal?.reason);
  if (signal?.aborted) abort();
  signal?.addEventListener('abort', abort);
  try {
    return await Promise.race([aborted.promise, looking]);
  } finally {
    signal?.removeEventListener('abort', abort);
  }
}
