import { UsageError } from '../../host/errors.ts';

/** The mistakes of the `UsageError` that a read throws; none if it succeeds. Any other error is thrown on. */
export async function mistakesOf(reading: Promise<unknown>): Promise<readonly string[]> {
  try {
    await reading;
    return [];
  } catch (error) {
    if (error instanceof UsageError) return error.mistakes;
    throw error;
  }
}

/** As `Promise.all`, but the mistakes of all reads are thrown as one `UsageError`, so that none hides another. */
export async function readAll<T extends readonly unknown[]>(readings: { [K in keyof T]: Promise<T[K]> }): Promise<T> {
  const mistakes = (await Promise.all(readings.map(mistakesOf))).flat();
  if (mistakes.length > 0) throw new UsageError(mistakes);
  return (await Promise.all(readings)) as readonly unknown[] as T;
}
