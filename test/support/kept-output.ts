import { appendFileSync } from 'node:fs';
import { join } from 'node:path';
import { threadId } from 'node:worker_threads';

/** The folder that the search for secrets looks through; none in a usual run. */
export const keptFolder = process.env.HOLDFAST_TEST_KEEPS;

/** Keeps an output under the name of its program, so that the search over all outputs of the suite reads it. */
export function keepOutput(text: string | Uint8Array, name: string): void {
  if (keptFolder !== undefined) appendFileSync(join(keptFolder, 'said', `${process.pid}-${threadId}-${name}`), text);
}
