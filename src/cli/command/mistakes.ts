import { UsageError } from '../../host/errors.ts';

/** What a reading finds wrong, one sentence each; none where it finds nothing. Any error but a `UsageError` goes on. */
export async function mistakesOf(reading: Promise<unknown>): Promise<readonly string[]> {
  try {
    await reading;
    return [];
  } catch (error) {
    if (error instanceof UsageError) return error.mistakes;
    throw error;
  }
}
