import process from 'node:process';
import * as z from 'zod';
import { type RehearsalStep, rehearsalSteps } from '../../deployment/rehearsal/steps.ts';
import { buildThrowAwaySite, type ThrowAwaySite } from '../../deployment/rehearsal/throw-away-site.ts';
import type { Signal } from '../../host/host.ts';
import type { Perform } from '../command/command.ts';
import type { Context } from '../command/context.ts';
import { exitCodes, signalCodes } from '../command/exit-codes.ts';
import { readFlags } from '../command/read-flags.ts';
import { paint } from '../command/text.ts';

/** The outcome of one step. `seen` is the key of `--json`. */
interface Shown extends Pick<RehearsalStep, 'does' | 'expected'> {
  readonly seen: string;
  readonly asExpected: boolean;
}

/**
 * `rehearse deploy`: good, broken and killed deploys by this program on a throw-away checkout, with real git and a real
 * HTTP server on loopback. Exit 1 if a step does not end as expected; the checkout is removed in any case.
 */
export const rehearseDeploy: Perform = async (context, { options }) => {
  readFlags(z.strictObject({}), options);
  const { host } = context;
  const stopping = new AbortController();
  let stoppedBy: Signal | undefined;
  const forget = host.onSignal(['SIGINT', 'SIGTERM', 'SIGHUP'], (name) => {
    stoppedBy ??= name;
    stopping.abort(new Error(name));
  });
  try {
    const shown = await rehearseOn(context, stopping.signal);
    host.out.write(context.flags.json ? `${JSON.stringify(documentOf(shown))}\n` : table(context, shown));
    return shown.every(({ asExpected }) => asExpected) ? exitCodes.done : exitCodes.failed;
  } catch (error) {
    if (stoppedBy === undefined) throw error;
    return signalCodes[stoppedBy];
  } finally {
    forget();
  }
};

async function rehearseOn(context: Context, signal: AbortSignal): Promise<readonly Shown[]> {
  const { host, environment } = context;
  const site = await buildThrowAwaySite(host, {
    program: [process.execPath, process.argv[1] ?? 'holdfast'],
    path: environment.PATH ?? '/usr/local/bin:/usr/bin:/bin',
    folder: environment.TMPDIR ?? '/tmp',
    signal,
  });
  try {
    const shown: Shown[] = [];
    for (const step of rehearsalSteps) {
      const one = await show(site, step);
      signal.throwIfAborted();
      shown.push(one);
      if (!context.flags.quiet) host.talk.write(`${one.does}: ${one.seen}\n`);
    }
    return shown;
  } finally {
    await site.remove();
  }
}

/** Runs one step. Whatever it does, it must change no upload, no secret and no untracked file. */
async function show(site: ThrowAwaySite, { does, expected, perform }: RehearsalStep): Promise<Shown> {
  const before = await site.precious();
  const outcome = await perform(site);
  const seen = (await site.precious()) === before ? outcome : `${outcome}, but uploads or untracked files were lost`;
  return { does, expected, seen, asExpected: seen === expected };
}

function documentOf(steps: readonly Shown[]): unknown {
  return { schemaVersion: 1, asExpected: steps.every(({ asExpected }) => asExpected), steps };
}

/** At most 80 columns wide if all is as expected. An unexpected outcome follows on a line of its own. */
function table({ flags }: Context, shown: readonly Shown[]): string {
  const { good, bad, strong } = paint(flags.color);
  const width = Math.max(...shown.map(({ does }) => does.length));
  const rows = shown.map(({ does, expected, seen, asExpected }) =>
    asExpected
      ? `${does.padEnd(width)}  ${seen.padEnd(expectedWidth)} ${good('ok')}\n`
      : `${does.padEnd(width)}  ${expected.padEnd(expectedWidth)} ${bad('no')}\n${''.padEnd(width)}  observed: ${seen}\n`,
  );
  return `${strong(`${'Step'.padEnd(width)}  Expected outcome`)}\n${rows.join('')}`;
}

/** The width of the longest expected outcome. */
const expectedWidth = Math.max(...rehearsalSteps.map(({ expected }) => expected.length));
