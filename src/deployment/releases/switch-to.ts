import type { Run } from '../run/run.ts';
import { linkOf } from './live-release.ts';

/** From one moment to the next all new requests come to this folder: one rename, on the disk when it returns. */
export async function switchTo(run: Run, folder: string): Promise<void> {
  const { clock, files } = run.host;
  const link = linkOf(run.checkout);
  const startedSeconds = clock.monotonicSeconds();
  await files.link(link, folder);
  run.progress.finishStep({ name: 'switch', seconds: clock.monotonicSeconds() - startedSeconds, exitCode: 0 });
  await run.log.line('INFO', `Live release: ${(await files.realPath(link)) ?? folder}`);
}
