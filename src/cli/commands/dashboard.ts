import * as z from 'zod';
import { dashboard as serveDashboard } from '../../dashboard/dashboard.ts';
import { UsageError } from '../../host/errors.ts';
import type { Host } from '../../host/host.ts';
import { runFiles } from '../../validation/record/run-folder.ts';
import { asUsageError } from '../command/as-usage-error.ts';
import type { Perform } from '../command/command.ts';
import type { Context } from '../command/context.ts';
import { exitCodes } from '../command/exit-codes.ts';
import { readFlags } from '../command/read-flags.ts';
import { wholeNumber } from '../command/whole-number.ts';
import { runsNewestFirst } from '../runs/runs-newest-first.ts';

const schema = z.strictObject({ port: wholeNumber(0, 65_535).default(0) });

/** `dashboard [RUN]`: serves the page on loopback until SIGINT, SIGTERM or SIGHUP. */
export const dashboard: Perform = async (context, { operands, options }) => {
  const { host, flags } = context;
  const { port } = readFlags(schema, options);
  const folder = operands[0] ?? (await runsNewestFirst(host.files))[0];
  if (folder === undefined) throw new UsageError(['there is no run in runs/: name a run folder.']);
  if (!(await holdsRun(host, folder)))
    throw new UsageError([`${folder} is not a run folder: it has no journal.jsonl.`]);
  const served = await serveDashboard(host, folder, { port }).catch(
    asUsageError('the page cannot be served', 'name another --port'),
  );
  const url = `http://127.0.0.1:${served.port}/`;
  host.out.write(flags.json ? `${JSON.stringify({ schemaVersion: 1, url, run: folder })}\n` : `${url}\n`);
  if (!flags.quiet) host.talk.write(`Showing ${folder}. Ctrl-C ends it.\n`);
  await untilStopped(context, served.ended);
  served.close();
  await served.ended;
  return exitCodes.done;
};

const holdsRun = async ({ files }: Host, folder: string): Promise<boolean> =>
  (await files.stat(`${folder}/${runFiles.journal}`)) !== undefined;

/** Resolves on a signal, or when a page could not be made; `ended` then rejects with the reason. */
async function untilStopped({ host }: Pick<Context, 'host'>, ended: Promise<void>): Promise<void> {
  const stopping = new AbortController();
  ended.catch(() => stopping.abort());
  const forget = host.onSignal(['SIGINT', 'SIGTERM', 'SIGHUP'], () => stopping.abort());
  try {
    await host.clock.sleep(Number.POSITIVE_INFINITY, stopping.signal);
  } catch (error) {
    if (!stopping.signal.aborted) throw error;
  } finally {
    forget();
  }
}
