import { OperationError } from '../../host/errors.ts';
import { statusByPhp } from '../opcache/status-by-php.ts';
import type { HealthAnswer, HiddenSite } from '../record/health.ts';
import { ask, withOwnQuery } from '../record/health-request.ts';
import type { Run } from '../run/run.ts';
import type { ProofSettings } from '../settings/settings.ts';

/**
 * Why the answer does not come from this commit, by the proof of the settings; undefined if it does, or if no proof is
 * set.
 */
export async function proveCommit(run: Run, commit: string, answer: HealthAnswer): Promise<string | undefined> {
  const { proof } = run.settings.health;
  if (proof === undefined) return proveByPhp(run);
  const served = (await servedCommit(run, proof, answer)).trim();
  return isSameCommit(served, commit)
    ? undefined
    : `what answers is not this commit but ${JSON.stringify(served.slice(0, 64))}`;
}

/** Behind a cache that may have answered: what php-fpm itself answers, where it has done so before the deploy. */
async function proveByPhp(run: Run): Promise<string | undefined> {
  const { hidden } = run.site;
  if (hidden?.phpAnswers !== true) return undefined;
  const status = await askPhp(run, hidden);
  return status === 200
    ? undefined
    : `php-fpm itself answers ${status ?? 'nothing'}: the 200 came from nginx's ${hidden.cache}`;
}

/**
 * Before anything is touched: finds out whether php-fpm itself can be asked for what visitors get from the checkout,
 * and says in the log what cannot be known where it cannot.
 */
export async function learnHidden(run: Run, checkout: Run['checkout']): Promise<void> {
  const { hidden } = run.site;
  if (hidden === undefined || run.settings.health.proof !== undefined) return;
  hidden.phpAnswers = (await askPhp({ ...run, checkout }, hidden)) === 200;
  if (hidden.phpAnswers) return;
  const warning = `nginx has ${hidden.cache}, whose key leaves out the query: nothing proves that an answer of 200 is the new commit's. Switch it off for the health address, or set health.proof`;
  run.journal.record({ type: 'warned', warnings: [warning] });
  await run.log.line('INFO', `Warning: ${warning}`);
}

async function askPhp(run: Run, hidden: HiddenSite): Promise<number | undefined> {
  const { health, healthUrls } = run.settings;
  return statusByPhp(run.host, hidden, run.checkout.directory, healthUrls[0] ?? '', health);
}

/** Whether `served` is the commit, or an abbreviation of at least 7 characters, which is git's shortest. */
export function isSameCommit(served: string, commit: string): boolean {
  return /^[0-9a-f]{7,64}$/.test(served) && commit.startsWith(served);
}

async function servedCommit(run: Run, proof: ProofSettings, answer: HealthAnswer): Promise<string> {
  if (proof.header !== undefined) return answer.headers[proof.header.toLowerCase()] ?? '';
  if (proof.command !== undefined) return standardOutput(run, proof.command);
  return proof.file === undefined ? '' : fileBody(run, proof.file);
}

async function standardOutput(run: Run, command: NonNullable<ProofSettings['command']>): Promise<string> {
  const { directory } = run.checkout;
  const { stdout } = await run.host.run(command, {
    cwd: directory,
    env: run.settings.environment,
    timeoutSeconds: run.settings.health.timeout,
  });
  return stdout;
}

async function fileBody(run: Run, url: string): Promise<string> {
  try {
    const response = await ask(run.host, withOwnQuery(url, run.host.clock), run.settings.health, run.interruption);
    return response.status === 200 ? await response.text() : '';
  } catch (error) {
    if (error instanceof OperationError) return '';
    throw error;
  }
}
