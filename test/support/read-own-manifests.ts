import { type OwnManifests, readOwn } from '../../src/cli/manifests/read-own.ts';
import { systemClock } from '../../src/host/clock.ts';
import { UsageError } from '../../src/host/errors.ts';
import { memoryFiles } from '../../src/host/memory-files.ts';
import { quietHost } from './quiet-host.ts';

/** What `rehearse -f own.yaml` reads of that text, or its mistakes. */
export async function readOwnManifests(text: string): Promise<OwnManifests | { readonly mistakes: readonly string[] }> {
  const files = memoryFiles();
  await files.replace('own.yaml', text);
  const host = { ...quietHost(), files, clock: systemClock() };
  try {
    return await readOwn({ host } as unknown as Parameters<typeof readOwn>[0], {
      paths: ['own.yaml'],
      rehearsed: true,
    });
  } catch (error) {
    if (!(error instanceof UsageError)) throw error;
    return { mistakes: error.mistakes };
  }
}

/** The same where it has to have mistakes, or none. */
export async function ownMistakes(text: string): Promise<readonly string[]> {
  const read = await readOwnManifests(text);
  return 'mistakes' in read ? read.mistakes : [];
}
