import { UsageError } from '../../host/errors.ts';
import { statusPage } from '../../report/status-page.ts';
import type { Context } from '../command/context.ts';
import { exitCodes } from '../command/exit-codes.ts';
import { readStatus } from './read-status.ts';

/**
 * `report --status-page DIR LOG…`: writes `index.html` and `status.json`, each as a whole, so that a web server can
 * serve the folder meanwhile. `others` are options that are of runs.
 */
export async function writeStatusPage(
  { host, flags }: Pick<Context, 'host' | 'flags'>,
  folder: string,
  logs: readonly string[],
  others: Readonly<Record<string, unknown>>,
): Promise<number> {
  if (Object.values(others).some((one) => one !== undefined && one !== false))
    throw new UsageError(['--status-page is of downtime logs: leave out --against, --trend and --metrics.']);
  const targets = await readStatus({ files: host.files }, logs);
  const madeAt = host.clock.wallAt();
  const document = `${JSON.stringify({ schemaVersion: 1, madeAt: new Date(madeAt).toISOString(), targets })}\n`;
  await host.files.makeFolder(folder);
  await host.files.replace(`${folder}/status.json`, document, { mode: 0o644 });
  await host.files.replace(`${folder}/index.html`, statusPage({ targets, madeAt }), { mode: 0o644 });
  if (flags.json) host.out.write(document);
  else if (!flags.quiet) host.talk.write(`Status page: ${folder}/index.html\n`);
  return exitCodes.done;
}
