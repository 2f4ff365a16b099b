import { UsageError } from '../../host/errors.ts';
import { mistakesOf } from './mistakes.ts';

/** As `Promise.all`, but what is wrong with any of them is one `UsageError`: no mistake hides another (contract section 2). */
export async function allRead<T extends readonly unknown[]>(readings: { [K in keyof T]: Promise<T[K]> }): Promise<T> {
  const mistakes = (await Promise.all(readings.map(mistakesOf))).flat();
  if (mistakes.length > 0) throw new UsageError(mistakes);
  return (await Promise.all(readings)) as readonly unknown[] as T;
}
