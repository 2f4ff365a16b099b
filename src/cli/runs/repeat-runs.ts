import { secondsText } from '../../figures/figures.js';
import type { Host, Signal } from '../../host/host.ts';
import { reportText } from '../../report/text.ts';
import type { ReadRun } from '../../validation/judge/read-run.ts';
import { type Repetition, repetitions, type Spread } from '../../validation/judge/repetition.ts';
import type { Context } from '../command/context.ts';
import { exitCodes, signalCodes } from '../command/exit-codes.ts';
import { holdSignals } from './hold-signals.ts';
import { keepReports } from './keep-reports.ts';

/** The outcome of one of several runs. */
interface Ended {
  readonly folder: string;
  readonly exitCode: number;
  readonly run: ReadRun;
}

/**
 * Makes `count` runs, each in its own folder, and summarises their figures. Ends early if a change could not be undone,
 * a signal came, or a run could not begin. The exit code is the worst one.
 */
export async function repeatRuns(
  context: Context,
  count: number,
  base: string,
  makeRun: (folder: string, host: Host) => Promise<ReadRun>,
): Promise<number> {
  const ended: Ended[] = [];
  let stoppedBy: Signal | undefined;
  for (let number = 1; number <= count && stoppedBy === undefined; number += 1) {
    const folder = `${base}/${number}`;
    const { run, exitCode, held } = await oneRun(context, folder, makeRun);
    ended.push({ folder, exitCode, run });
    if (!context.flags.quiet) context.host.talk.write(`Run ${number} of ${count}: ${run.result.verdict}, ${folder}\n`);
    if (stops(exitCode)) break;
    if (number < count) stoppedBy = held;
  }
  printSummary(context, ended);
  return worst([
    ...ended.map(({ exitCode }) => exitCode),
    ...(stoppedBy === undefined ? [] : [signalCodes[stoppedBy]]),
  ]);
}

/** `held` is a signal that came while the reports were written: no further run begins. */
function oneRun({ host: real }: Context, folder: string, makeRun: (folder: string, host: Host) => Promise<ReadRun>) {
  return holdSignals(real, async ({ host, held }) => {
    const run = await makeRun(folder, host);
    const exitCode = await keepReports(host, folder, run);
    return { run, exitCode, held: held() };
  });
}

/** Whether no further run begins: it would fail for the same reason, or somebody stopped this one. */
const stops = (exitCode: number): boolean =>
  exitCode >= 128 || [exitCodes.notUndone, exitCodes.stopped, exitCodes.locked].some((code) => code === exitCode);

/** From the worst to the best; a signal comes second (docs/contract.md, "Exit codes"). */
const order: readonly number[] = [
  exitCodes.notUndone,
  exitCodes.locked,
  exitCodes.stopped,
  exitCodes.failed,
  exitCodes.inconclusive,
  exitCodes.done,
];

function worst(codes: readonly number[]): number {
  if (codes.includes(exitCodes.notUndone)) return exitCodes.notUndone;
  return codes.find((code) => code >= 128) ?? order.find((code) => codes.includes(code)) ?? exitCodes.done;
}

function printSummary({ host, flags }: Context, ended: readonly Ended[]): void {
  const rows = repetitions(ended.map(({ run }) => run.result.scenarios));
  if (flags.json) {
    const runs = ended.map(({ folder, exitCode, run }) => ({ folder, exitCode, verdict: run.result.verdict }));
    host.out.write(`${JSON.stringify({ schemaVersion: 1, runs, scenarios: rows })}\n`);
    return;
  }
  const last = ended.at(-1);
  if (last !== undefined) host.out.write(reportText(last.run.result));
  host.out.write(`\n${ended.length} ${ended.length === 1 ? 'run' : 'runs'}\n${rows.map(rowText).join('')}`);
}

function rowText({ title, runs, passed, spanSeconds, nodeReadySeconds, podReadySeconds }: Repetition): string {
  const numbers = [
    spreadText('downtime', spanSeconds),
    spreadText('node ready', nodeReadySeconds),
    spreadText('pod ready', podReadySeconds),
  ].filter((text) => text !== '');
  return `${title.padEnd(28)}${passed} of ${runs} as expected; ${numbers.join('; ')}\n`;
}

function spreadText(what: string, spread: Spread | null): string {
  if (spread === null) return '';
  const tail = spread.p99 === null ? '' : `, p99 ${secondsText(spread.p99)}`;
  return `${what} median ${secondsText(spread.median)}, max ${secondsText(spread.max)}${tail}`;
}
