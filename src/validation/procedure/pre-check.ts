import type { Journal } from '../../journal/journal.ts';
import { type Checked, lookSafely, unreached } from '../checks/check.ts';
import { checks } from '../checks/index.ts';
import type { Finding } from '../finding.ts';
import type { ValidationFact } from '../record/events.ts';

/**
 * Phase 1 of 4.1, mandatory: the findings that stop the run, none when it may go on. Writes nothing to the cluster. Where nobody is at
 * the API server's address the first check says so for all. Rejects with the signal's reason when it is aborted first.
 */
export async function preCheck(
  about: Checked,
  journal: Pick<Journal<ValidationFact>, 'record'>,
  signal?: AbortSignal,
): Promise<readonly Finding[]> {
  const stopping: Finding[] = [];
  for (const check of checks) {
    const finding = await unlessAborted(lookSafely(check, about), signal);
    journal.record({ type: 'check-finished', mandatory: check.mandatory, finding });
    if (check.mandatory && finding.severity === 'error') stopping.push(finding);
    // Each of the others would wait as long for the same. A server that has answered may be back at any moment.
    if (check === checks[0] && finding.id === unreached) break;
  }
  return stopping;
}

/** Looking changes nothing, so nobody has to wait for a look that is under way: an API server that hangs takes minutes for one. */
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
