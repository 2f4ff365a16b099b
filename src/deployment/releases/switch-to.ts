import type { Run } from '../run.ts';
import { linkOf } from './live-release.ts';
import type { Release } from './release.ts';

/** From one moment to the next all new requests come to this release: one rename, on the disk when it returns. */
export async function switchTo(run: Run, release: Release): Promise<void> {
  const { clock, files } = run.host;
  const startedSeconds = clock.monotonicSeconds();
  await files.link(linkOf(run.checkout), release.directory);
  run.progress.finishStep({ name: 'switch', seconds: clock.monotonicSeconds() - startedSeconds, exitCode: 0 });
  await run.log.line('INFO', `Live release: ${release.directory}`);
}
