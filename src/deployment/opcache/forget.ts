import { OperationError } from '../../host/errors.ts';
import { chosenDuration } from '../../settings/duration.ts';
import type { StepFailure } from '../record/states.ts';
import type { Workspace } from '../run/run.ts';
import { askPool, type Question } from './ask-pool.ts';
import type { SharedCache, Told } from './means.ts';

/** How long a pool that is proved to serve the checkout may be busy before the log says that it is waited for. */
const quietSeconds = 2;
/** Between two attempts to reach a pool, and before the other pools of a cache are asked too. */
const againSeconds = 0.25;

/** Makes php-fpm forget the old code. A pool that is busy is waited for by the health deadline. */
export async function forget(run: Workspace, { caches }: Told): Promise<StepFailure | undefined> {
  const { deadline, timeout } = run.settings.health;
  const startedSeconds = run.host.clock.monotonicSeconds();
  const deaf = await forgetAll(run, caches, deadline ?? timeout);
  const seconds = run.host.clock.monotonicSeconds() - startedSeconds;
  run.progress.finishStep({ name: 'opcache', seconds, exitCode: deaf.length > 0 ? 1 : 0 });
  if (deaf.length === 0) return undefined;
  const because = `php-fpm at ${deaf.map(([address]) => address).join(', ')} did not forget the old code`;
  return { type: 'step-failed', step: 'opcache', because };
}

/** The same on the way back, where it is the first of two times: who does not answer in a moment is asked again later. */
export async function forgetAtOnce(run: Workspace, { caches }: Told): Promise<void> {
  await forgetAll(run, caches, quietSeconds);
}

/** Those that did not forget. */
async function forgetAll(
  run: Workspace,
  caches: readonly SharedCache[],
  limitSeconds: number,
): Promise<readonly SharedCache[]> {
  const { clock } = run.host;
  const over = new AbortController();
  const end = clock.sleep(limitSeconds, over.signal).then(() => over.abort(), ignore);
  const said = clock.sleep(quietSeconds, over.signal).then(() => sayWaiting(run, limitSeconds), ignore);
  const forgotten = await Promise.all(caches.map((cache) => forgetOne(run, cache, over.signal)));
  over.abort();
  await Promise.all([end, said]);
  return caches.filter((_, index) => !forgotten[index]);
}

async function sayWaiting(run: Workspace, limitSeconds: number): Promise<void> {
  if (limitSeconds <= quietSeconds) return;
  await run.log.line(
    'INFO',
    `php-fpm is busy: waiting up to ${chosenDuration(limitSeconds)} for a worker, so that it forgets the old code`,
  );
}

/** Whether one of its pools has forgotten: the first is asked, and the others as soon as that takes long. */
async function forgetOne(run: Workspace, cache: SharedCache, signal: AbortSignal): Promise<boolean> {
  const enough = new AbortController();
  const either = AbortSignal.any([signal, enough.signal]);
  const attempts = cache.map(async (address, index) => {
    if (index > 0) await run.host.clock.sleep(againSeconds, either).catch(ignore);
    const question = { action: 'forget', timeoutSeconds: hour, signal: either, isOurs: true } as const;
    const isForgotten = await keepAsking(run, address, question);
    if (isForgotten) enough.abort();
    return isForgotten;
  });
  return (await Promise.all(attempts)).includes(true);
}

/** The signal ends it. */
const hour = 3600;

/** A socket whose queue is full, or a php-fpm that is just starting, refuses the connection: it is asked again. */
async function keepAsking(run: Workspace, address: string, question: Question): Promise<boolean> {
  while (!question.signal?.aborted) {
    const answer = await askPool(run.host, address, run.checkout, question).catch(unlessNoAnswer);
    if (answer !== undefined) return answer.forgotten;
    await run.host.clock.sleep(againSeconds, question.signal).catch(ignore);
  }
  return false;
}

function ignore(): void {}

export function unlessNoAnswer(error: unknown): undefined {
  if (!(error instanceof OperationError)) throw error;
}
