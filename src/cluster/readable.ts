import { ApiError } from './cluster.ts';

/** The answer of a read, or undefined where the caller may not read it (403) or the API has no such kind (404). */
export async function readable<T>(reading: Promise<T>): Promise<T | undefined> {
  try {
    return await reading;
  } catch (error) {
    if (error instanceof ApiError && (error.status === 403 || error.status === 404)) return undefined;
    throw error;
  }
}
