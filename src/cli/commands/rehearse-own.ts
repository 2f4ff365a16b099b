import { OperationError } from '../../host/errors.ts';
import { type Journal, openJournal } from '../../journal/journal.ts';
import { reportMarkdown } from '../../report/markdown.ts';
import { applicationName } from '../../validation/applications.ts';
import { type ReadRun, readRun } from '../../validation/judge/read-run.ts';
import type { RunResult, Verdict } from '../../validation/judge/run-result.ts';
import type { RehearsedApplication } from '../../validation/record/application-rehearsed.ts';
import type { ValidationFact } from '../../validation/record/events.ts';
import { runFiles } from '../../validation/record/run-folder.ts';
import { load } from '../../validation/scenarios/load.ts';
import { type OwnRehearsal, type RehearsalOrder, rehearsed, rehearsedVerdict } from '../cluster/rehearsal-run.ts';
import { type Rehearsals, rehearsals } from '../cluster/rehearsal-thread.ts';
import { type BehindDoor, recordFrontDoors } from '../cluster/rehearse-doors.ts';
import type { Context } from '../command/context.ts';
import { exitCodes } from '../command/exit-codes.ts';
import { sayMistakes } from '../command/say.ts';
import { judgedAssumptions } from '../manifests/assumptions.ts';
import { applicationsOf, rehearsedApplication } from '../manifests/manifests-rehearsed.ts';
import { type Before, rehearsedAgainst, seedsCompared } from './rehearse-against.ts';

export interface OwnOrder extends OwnRehearsal {
  /** The rehearsals of the further applications. */
  readonly others: readonly OwnRehearsal[];
  /** The same behind each front door that was asked for. */
  readonly behind: readonly BehindDoor[];
  /** The same with the manifests of `--against`. */
  readonly before?: Before | undefined;
  readonly failOn: 'any' | 'worse';
  /** Whether to look for where the verdict turns. */
  readonly assumptions: boolean;
  readonly summary?: string | undefined;
}

type Facts = Pick<Journal<ValidationFact>, 'record'>;

/**
 * Rehearses the manifests of `-f`, and what is asked beside that: the manifests before the change, and where the
 * verdict turns.
 */
export async function rehearseOwn(context: Context, order: OwnOrder, folder: string): Promise<ReadRun> {
  const beside = rehearsals(context);
  const main = Promise.withResolvers<RunResult>();
  try {
    const against = besideBefore(context, order, beside, main.promise);
    const made = await rehearsed(context, order, folder);
    main.resolve(made.result);
    beside.grow();
    const isOver = made.result.verdict === 'error' || context.signal?.aborted;
    return isOver ? made : await withMoreFacts(context, order, folder, { made, beside, against });
  } finally {
    beside.end();
  }
}

/** Begins while the run itself is made. */
function besideBefore(context: Context, order: OwnOrder, beside: Rehearsals, made: Promise<RunResult>) {
  const { before, others } = order;
  if (before === undefined) return undefined;
  const paths = before.paths.join(', ');
  say(context, `beside ${paths}: further rehearsals of both with ${seedsCompared} seeds`);
  const facts = rehearsedAgainst(beside, before, [order, ...others], made);
  // Whoever waits for it hears of its failure; nobody does where the run is over first.
  facts.catch(() => {});
  return { paths: before.paths, facts };
}

interface Beside {
  readonly made: ReadRun;
  readonly beside: Rehearsals;
  readonly against: ReturnType<typeof besideBefore>;
}

/** The search and the comparison are no part of the run: their facts have the time of the run's end. */
async function withMoreFacts(
  context: Context,
  order: OwnOrder,
  folder: string,
  { made, beside, against }: Beside,
): Promise<ReadRun> {
  const { host } = context;
  const { startedAt, finishedAt } = made.result.run;
  const clock = { ...host.clock, wallAt: () => Date.parse(finishedAt ?? startedAt) };
  const journal = await openJournal<ValidationFact>({ files: host.files, clock }, `${folder}/${runFiles.journal}`);
  try {
    const others = await recordOthers(context, order, beside, journal);
    const doors = { doors: order.behind, made: made.result, main: order.own.frontDoor };
    const names = order.behind.map(({ name }) => name).filter((name) => name !== doors.main);
    if (names.length > 0) say(context, `behind ${names.join(', ')}: the same application, with the same seed`);
    await recordFrontDoors(beside, doors, journal);
    if (against !== undefined)
      for (const fact of await against.facts) journal.record({ ...fact, paths: against.paths });
    const verdict = made.result.applications?.[0]?.verdict ?? made.result.verdict;
    const first = { order, verdict, isDecidedByLoad: isDecidedByLoad(made.result) };
    if (order.assumptions) await recordAssumptions(context, applicationsOf(order.own), [first, ...others], journal);
  } finally {
    await journal.close();
  }
  return (await readRun(host.files, folder)) ?? made;
}

interface Judged {
  readonly order: OwnRehearsal;
  readonly verdict: Verdict;
  readonly isDecidedByLoad: boolean;
}

/**
 * Rehearses each further application, with the others in its cluster. One that ends with an error is left out: the run
 * is inconclusive then.
 */
async function recordOthers(
  context: Context,
  { own, others }: OwnOrder,
  { resultOf }: Rehearsals,
  journal: Facts,
): Promise<Judged[]> {
  const all = applicationsOf(own);
  const results = await Promise.all(
    others.map(async (order, index) => {
      const application = rehearsedApplication(order.own);
      say(context, `${applicationName(application, all)}: application ${index + 2} of ${all.length}`);
      return { order, application, result: await resultOf(order) };
    }),
  );
  return results.flatMap(({ order, application, result }) => {
    if (result === undefined) return [];
    const { verdict, scenarios, criteria, findings } = result;
    journal.record({
      type: 'application-rehearsed',
      application,
      verdict,
      scenarios: scenarios.map((one) => pick(one, ['name', 'verdict', 'notApplicable', 'downtime', 'findings'])),
      criteria: criteria.map((one) => pick(one, ['number', 'outcome', 'because', 'notApplicable'])),
      findings,
    });
    return [{ order, verdict, isDecidedByLoad: isDecidedByLoad(result) }];
  });
}

function pick<T extends object, K extends keyof T>(from: T, keys: readonly K[]): Pick<T, K> {
  return Object.fromEntries(keys.map((key) => [key, from[key]])) as Pick<T, K>;
}

/** A signal ends the search, and the report of the run is made as it is. */
async function recordAssumptions(
  context: Context,
  all: readonly RehearsedApplication[],
  judged: readonly Judged[],
  journal: Facts,
): Promise<void> {
  const stop = new AbortController();
  const forget = context.host.onSignal(['SIGINT', 'SIGTERM', 'SIGHUP'], () => stop.abort());
  try {
    for (const one of judged)
      for await (const assumption of assumptionsOf(context, all, one, stop.signal))
        journal.record({ type: 'assumption-judged', assumption });
  } catch (error) {
    if (!stop.signal.aborted) throw error;
    say(context, 'stopped: where the verdict turns is not known for the other assumptions');
  } finally {
    forget();
  }
}

/** The load was tested, and nothing but it fails. */
function isDecidedByLoad({ scenarios, criteria }: Pick<RunResult, 'scenarios' | 'criteria'>): boolean {
  const wasTested = scenarios.some(({ name, verdict }) => name === load.name && verdict !== 'not-tested');
  const others = scenarios.filter(({ name, verdict }) => name !== load.name && verdict === 'fail');
  return wasTested && others.length === 0 && criteria.every(({ outcome }) => outcome !== 'not-met');
}

function assumptionsOf(
  context: Context,
  all: readonly RehearsedApplication[],
  { order, ...judged }: Judged,
  signal: AbortSignal,
) {
  const { settings } = order;
  const { application } = order.own;
  const asked = {
    application,
    named: applicationName(application, all),
    isOnly: all.length === 1,
    settings,
    ...judged,
  };
  const verdictWith = async (settings: RehearsalOrder['settings'], laterSeed: number, onlyLoad?: true) => {
    signal.throwIfAborted();
    const scenario = onlyLoad ? [load.name] : order.scenario;
    return rehearsedVerdict(context, { ...order, settings, seed: order.seed + laterSeed, scenario });
  };
  return judgedAssumptions(asked, verdictWith, (line) => say(context, line));
}

function say({ host, flags }: Context, line: string): void {
  if (!flags.quiet) host.talk.write(`${line}\n`);
}

/** The exit code of a run whose own code is given, after its summary is written. */
export const concludeOwn = (context: Context, order: OwnOrder, run: ReadRun, code: number): Promise<number> =>
  writeSummary(context, order, run, exitCodeFor(code, run, order));

/** `--fail-on`: a verdict is one of `any`; with `worse` only the change counts. What is no verdict keeps its code. */
function exitCodeFor(code: number, { result: { against } }: ReadRun, { failOn }: OwnOrder): number {
  const verdicts: readonly number[] = [exitCodes.done, exitCodes.failed, exitCodes.inconclusive];
  if (!verdicts.includes(code)) return code;
  if (against?.change === 'worse') return exitCodes.failed;
  return failOn === 'worse' ? exitCodes.done : code;
}

async function writeSummary(
  { host }: Context,
  { summary }: OwnOrder,
  { result }: ReadRun,
  exitCode: number,
): Promise<number> {
  if (summary === undefined) return exitCode;
  try {
    await host.files.replace(summary, reportMarkdown(result));
    return exitCode;
  } catch (error) {
    if (!(error instanceof OperationError)) throw error;
    sayMistakes(host.talk, [error.message]);
    return exitCode === exitCodes.done ? exitCodes.inconclusive : exitCode;
  }
}
