import { basename, join } from 'node:path';
import type { TestContext } from 'node:test';
import { rehearsalSite } from '../../src/cli/cluster/rehearsal-site.ts';
import type { Appender } from '../../src/host/host.ts';
import { readJournal } from '../../src/journal/journal.ts';
import { rehearsalHost } from '../../src/rehearsal/host.ts';
import { recoverRun } from '../../src/validation/procedure/recover.ts';
import type { ValidationFact } from '../../src/validation/record/events.ts';
import { runFiles } from '../../src/validation/record/run-folder.ts';
import { watchDisk } from './disk.ts';
import { quietHost } from './quiet-host.ts';
import { type CutOff, type Left, leave } from './recovered.ts';
import { type Around, tappedHost } from './tapped-host.ts';
import { temporaryFolder } from './temporary-folder.ts';

/** What is left after a crash of `recover` at its n-th call; undefined if it ended before. */
export async function cutRecovery(
  t: Pick<TestContext, 'after'>,
  run: CutOff,
  left: Left,
  n: number,
): Promise<Left | undefined> {
  const folder = join(temporaryFolder(t), 'run');
  leave(run, left, 'killed', () => 0, folder);
  const later = rehearsalHost({ seed: String(run.seed), real: quietHost(), saved: JSON.parse(left.world) });
  const read = await readJournal<ValidationFact>(quietHost().files, join(folder, runFiles.journal));
  const { facts } = read ?? { facts: [] };
  const disk = watchDisk();
  const cut = Promise.withResolvers<undefined>();
  let calls = 0;
  const opened: Appender[] = [];
  const around: Around = async (call, make) => {
    calls += 1;
    if (calls >= n) {
      cut.resolve(undefined);
      return new Promise(() => {});
    }
    const ended = await disk.around(call, make);
    if (call.file?.done === 'opened') opened.push(ended as Appender);
    return ended;
  };
  const site = rehearsalSite({ host: tappedHost(later.host, around) });
  const asked = { site, namespace: 'default', folder, facts, run: 'test', cleanup: false };
  const ended = await later.run(() => Promise.race([cut.promise, recoverRun(asked)]));
  if (ended !== undefined) return undefined;
  // The product may have closed it itself.
  for (const appender of opened) await appender.close().catch(() => undefined);
  const log = [...left.disk].filter(([path]) => basename(path) !== runFiles.journal);
  const journal = disk.now().size > 0 ? disk.now() : [...left.disk];
  return { world: JSON.stringify(later.world.save()), disk: new Map([...log, ...journal]) };
}
