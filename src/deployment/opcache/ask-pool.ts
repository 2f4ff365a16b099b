import { OperationError } from '../../host/errors.ts';
import type { Host } from '../../host/host.ts';
import type { Checkout } from '../checkout/checkout.ts';
import { decodeAnswer, encodeRequest } from './fastcgi.ts';
import { type PoolAnswer, poolScript, readAnswer } from './pool-script.ts';
import { admitOthers, withTemporaryScript, writeScript } from './script-file.ts';

export type PoolHost = Pick<Host, 'exchange' | 'files' | 'random' | 'clock'>;
export type CheckoutFolders = Pick<Checkout, 'directory' | 'stateFolder'>;

/** A time-out, in seconds, for a question that its signal ends. */
export const untilAborted = 3600;

export interface Question {
  /**
   * `look` reads the pool's opcache; `forget` also invalidates every changed file of the directory, `forget all` every
   * file.
   */
  readonly action: 'look' | 'forget' | 'forget all';
  readonly timeoutSeconds: number;
  readonly signal?: AbortSignal;
  /** Whether the pool serves the checkout: its user is let into the state folder where that is needed. */
  readonly isOurs: boolean;
}

/**
 * Runs a script by FastCGI in the pool that listens at `address`. Other sites of the pool keep what they have. No
 * answer is an `OperationError`.
 */
export async function askPool(
  host: PoolHost,
  address: string,
  checkout: CheckoutFolders,
  question: Question,
): Promise<PoolAnswer> {
  const run = (path: string) => runScript(host, address, path, checkout.directory, question);
  const script = poolScript();
  const path = await writeScript(host, checkout, script);
  const answer =
    (await run(path)) ??
    (question.isOurs && (await admitOthers(host.files, checkout)) ? await run(path) : undefined) ??
    (await withTemporaryScript(host, script, run));
  if (answer !== undefined) return answer;
  const reason = `it could run a script neither in ${checkout.stateFolder} nor in /tmp`;
  throw new OperationError({ tried: 'Asking', on: `php-fpm at ${address}`, reason });
}

/** Undefined when the pool cannot read that file. */
async function runScript(
  host: PoolHost,
  address: string,
  path: string,
  directory: string,
  { action, timeoutSeconds, signal }: Question,
): Promise<PoolAnswer | undefined> {
  const bytes = encodeRequest({
    GATEWAY_INTERFACE: 'CGI/1.1',
    REQUEST_METHOD: 'GET',
    SCRIPT_FILENAME: path,
    SCRIPT_NAME: path,
    HOLDFAST_DIRECTORY: directory,
    HOLDFAST_ACTION: action,
  });
  const options = signal === undefined ? {} : { signal };
  return readAnswer(decodeAnswer(await host.exchange({ address, bytes, timeoutSeconds, ...options })).body);
}
