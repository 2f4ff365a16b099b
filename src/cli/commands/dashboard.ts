import * as z from 'zod';
import { type Shown, dashboard as serveDashboard } from '../../dashboard/dashboard.ts';
import { OperationError, UsageError } from '../../host/errors.ts';
import type { Host } from '../../host/host.ts';
import { newToken } from '../../host/token.ts';
import { runFiles } from '../../validation/record/run-folder.ts';
import { asUsageError } from '../command/as-usage-error.ts';
import type { Perform, RawArguments } from '../command/command.ts';
import type { Context } from '../command/context.ts';
import { exitCodes } from '../command/exit-codes.ts';
import { readFlags } from '../command/read-flags.ts';
import { say } from '../command/say.ts';
import { wholeNumber } from '../command/whole-number.ts';
import { filesOfLog, readStatus } from '../runs/read-status.ts';
import { runsNewestFirst } from '../runs/runs-newest-first.ts';
import { isCheckoutNamed, readCheckout } from '../settings/read-deployment.ts';

const schema = z.strictObject({
  port: wholeNumber(0, 65_535).default(0),
  appDir: z.string().exactOptional(),
  token: z.boolean().default(true),
});

/** `dashboard [RUN]`: serves the pages on loopback until SIGINT, SIGTERM or SIGHUP. */
export const dashboard: Perform = async (context, given) => {
  const { host, flags } = context;
  const { port, token } = readFlags(schema, given.options);
  const [run] = given.operands;
  const shown = await shownOf(context, given, run);
  const served = await serveDashboard(host, shown, { port, ...(token ? { token: newToken() } : {}) }).catch(
    asUsageError('the page cannot be served', 'name another --port'),
  );
  host.out.write(
    flags.json ? `${JSON.stringify({ schemaVersion: 1, url: served.url, run: run ?? null })}\n` : `${served.url}\n`,
  );
  if (!flags.quiet) say(host.talk, `${introduction(shown, token)} Ctrl-C ends it.`);
  await untilStopped(context, served.ended);
  served.close();
  await served.ended;
  return exitCodes.done;
};

async function shownOf(context: Context, given: RawArguments, run: string | undefined): Promise<Shown> {
  const { host } = context;
  if (run !== undefined && (await host.files.stat(run))?.kind === 'file') return shownLog(host, run);
  if (run !== undefined && !(await holdsRun(host, run)))
    throw new UsageError([
      `${run} is not a run folder, because it has no journal.jsonl, and no downtime log: without RUN the dashboard lists those in runs/.`,
    ]);
  const runs = () => runsNewestFirst(host.files);
  const deploys = await deploysOf(context, given);
  if (run === undefined && !('checkout' in deploys) && (await runs()).length === 0)
    throw new UsageError([
      `there is nothing to show: there is no run in runs/ (holdfast rehearse makes one), and ${deploys.noDeploys}.`,
    ]);
  return { ...(run === undefined ? {} : { run }), runs, ...deploys };
}

/** The log is read once before the page is served: one that is none is a `UsageError`. */
async function shownLog({ files }: Pick<Host, 'files'>, path: string): Promise<Shown> {
  const read = async () => readStatus({ files }, await filesOfLog(files, path));
  await read();
  return { log: { path, read } };
}

/** A checkout named on the command line must exist; one in the settings file may belong to another machine. */
async function deploysOf(
  context: Context,
  given: RawArguments,
): Promise<Required<Pick<Shown, 'checkout'>> | Required<Pick<Shown, 'noDeploys'>>> {
  try {
    if (!(await isCheckoutNamed(context, given)))
      return { noDeploys: 'no checkout is named by --app-dir, APP_DIR or deployment.appDir' };
    const { directory, stateFolder } = await readCheckout(context, given);
    return { checkout: { directory, stateFolder } };
  } catch (error) {
    const isExpected = error instanceof UsageError || error instanceof OperationError;
    if (!isExpected || given.options.appDir !== undefined) throw error;
    return { noDeploys: error.message.replace(/\.$/, '') };
  }
}

function introduction({ run, log, checkout }: Shown, hasToken: boolean): string {
  const deploys = checkout === undefined ? '' : ` and the deploys of ${checkout.directory}`;
  const what = `Showing ${log?.path ?? run ?? 'the runs in runs/'}${deploys}.`;
  return hasToken
    ? `${what} Only who has the whole address can open it.`
    : `${what} Without a token, everybody with an account on this machine can open it.`;
}

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
