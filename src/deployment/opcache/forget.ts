import { chosenDuration } from '../../figures/figures.js';
import { OperationError } from '../../host/errors.ts';
import { codeOf } from '../../host/system-error.ts';
import type { StepFailure } from '../record/states.ts';
import type { Workspace } from '../run/run.ts';
import { askPool, type Question, untilAborted } from './ask-pool.ts';
import { longestOf, type SharedCache, type Told, type Wait } from './means.ts';

/** How long a pool that is proved to serve the checkout may be busy before the log says that it is waited for. */
const quietSeconds = 2;
/** Between two attempts to reach a pool, and before the other pools of a cache are asked too. */
const againSeconds = 0.25;

/** The result of making php-fpm forget the old code. */
export interface Forgetting {
  /** Of pools that were busy all the time, or that would run the old code for ever. */
  readonly failure?: StepFailure;
  /** For pools that turned out to answer the web server alone: what brings the new code to them. */
  readonly otherwise?: Wait;
}

/** Makes php-fpm forget the old code. A pool that is busy is waited for by the health deadline. */
export async function forget(run: Workspace, { caches }: Told): Promise<Forgetting> {
  const startedSeconds = run.host.clock.monotonicSeconds();
  const outcomes = await forgetAll(run, caches, patienceSeconds(run.settings));
  const seconds = run.host.clock.monotonicSeconds() - startedSeconds;
  const busy = caches.filter((_, index) => outcomes[index] === 'busy');
  const refusing = caches.filter((_, index) => outcomes[index] === 'refuses');
  run.progress.finishStep({ name: 'opcache', seconds, exitCode: busy.length > 0 ? 1 : 0 });
  if (busy.length > 0) {
    const because = `php-fpm at ${busy.map(({ addresses }) => addresses[0]).join(', ')} did not forget the old code`;
    return { failure: { type: 'step-failed', step: 'opcache', because } };
  }
  const longest = longestOf(refusing.flatMap(({ otherwise }) => (otherwise === undefined ? [] : [otherwise])));
  return longest === undefined ? {} : { otherwise: longest };
}

/** How long a pool of the checkout may be busy. */
export function patienceSeconds({ health }: Pick<Workspace['settings'], 'health'>): number {
  return health.deadline ?? health.timeout;
}

/**
 * The same on the way back, where it is the first of two times: who does not answer in a moment is asked again later.
 */
export async function forgetAtOnce(run: Workspace, { caches }: Told): Promise<void> {
  await forgetAll(run, caches, quietSeconds);
}

/** `refuses`: it takes no question of ours, or cannot do what it is asked, and files are looked at without it. */
type Outcome = 'forgotten' | 'refuses' | 'busy';

async function forgetAll(
  run: Workspace,
  caches: readonly SharedCache[],
  limitSeconds: number,
): Promise<readonly Outcome[]> {
  const { clock } = run.host;
  const over = new AbortController();
  const end = clock.sleep(limitSeconds, over.signal).then(() => over.abort(), ignore);
  const said = clock.sleep(quietSeconds, over.signal).then(() => sayWaiting(run, limitSeconds), ignore);
  const outcomes = await Promise.all(caches.map((cache) => forgetOne(run, cache, over.signal)));
  over.abort();
  await Promise.all([end, said]);
  return outcomes;
}

async function sayWaiting(run: Workspace, limitSeconds: number): Promise<void> {
  if (limitSeconds > quietSeconds) await run.log.line('INFO', waitingSentence(limitSeconds));
}

export function waitingSentence(limitSeconds: number): string {
  return `php-fpm is busy: waiting up to ${chosenDuration(limitSeconds)} for a worker, so that it forgets the old code`;
}

/** Of its pools the first is asked, and the others as soon as that takes long: one that has forgotten is enough. */
async function forgetOne(run: Workspace, cache: SharedCache, signal: AbortSignal): Promise<Outcome> {
  const enough = new AbortController();
  const either = AbortSignal.any([signal, enough.signal]);
  const attempts = cache.addresses.map(async (address, index) => {
    if (index > 0) await run.host.clock.sleep(againSeconds, either).catch(ignore);
    const question = { action: 'forget', timeoutSeconds: untilAborted, signal: either, isOurs: true } as const;
    const outcome = await keepAsking(run, address, question, cache.otherwise !== undefined);
    if (outcome === 'forgotten') enough.abort();
    return outcome;
  });
  const outcomes = await Promise.all(attempts);
  return (['forgotten', 'refuses'] as const).find((best) => outcomes.includes(best)) ?? 'busy';
}

/** Until it has forgotten; where it may refuse, until it does. */
async function keepAsking(run: Workspace, address: string, question: Question, mayRefuse: boolean): Promise<Outcome> {
  while (!question.signal?.aborted) {
    const outcome = await askPool(run.host, address, run.checkout, question).then(
      ({ forgotten }) => (forgotten ? 'forgotten' : 'refuses'),
      outcomeOfError,
    );
    if (outcome === 'forgotten' || (outcome === 'refuses' && mayRefuse && !question.signal?.aborted)) return outcome;
    await run.host.clock.sleep(againSeconds, question.signal).catch(ignore);
  }
  return 'busy';
}

/** connect(2): the queue of the socket is full, or php-fpm is just starting. */
const temporaryCodes: ReadonlySet<string | undefined> = new Set(['EAGAIN', 'ECONNREFUSED', 'ENOENT']);

/** A worker that may not answer us closes the connection (`listen.allowed_clients`), as soon as it is free. */
function outcomeOfError(error: unknown): Outcome {
  unlessNoAnswer(error);
  return error instanceof OperationError && temporaryCodes.has(codeOf(error.cause)) ? 'busy' : 'refuses';
}

function ignore(): void {}

export function unlessNoAnswer(error: unknown): undefined {
  if (!(error instanceof OperationError)) throw error;
}
