import { downtimeText } from '../../figures/figures.js';
import type { ScenarioResult } from '../../validation/judge/run-result.ts';
import type { OnProbe } from '../../validation/monitor/monitor-settings.ts';
import type { OnWait } from '../../validation/observe/poll-cluster.ts';
import type { ValidationFact } from '../../validation/record/events.ts';
import { scenarioNamed } from '../../validation/scenarios/index.ts';
import { type Paint, paint } from '../command/text.ts';
import { openScreen } from '../terminal/open-screen.ts';
import { isLive, type Screen, timeOf, type Viewer } from '../terminal/screen.ts';
import { checksFinished, type Finished, finishedBy, scenarioFinished } from './finished-lines.ts';
import { runFrame } from './run-frame.ts';
import { lineOf, ofWhom } from './run-lines.ts';
import { watchRun } from './run-view.ts';

/** Shows on standard error what a run is doing. */
export interface ProgressScreen {
  /** The host for the run: what it says and asks leaves the live region whole. */
  readonly host: Screen['host'];
  readonly onFact: (fact: ValidationFact) => void;
  readonly onSample: OnProbe;
  readonly onWait: OnWait;
  readonly scenarioEnded: (result: ScenarioResult) => void;
  /** Removes the live region. */
  readonly end: () => void;
}

/** `now` is the run's time; in a rehearsal it is `virtual`. */
export function progress(viewer: Viewer, now: () => number, virtual = false): ProgressScreen {
  const watched = watchRun(titleOf);
  const { view } = watched;
  const screen = openScreen(viewer, (columns, colors) => runFrame(view, now(), columns, colors), !virtual);
  const tell = (at: string, finished: readonly Finished[]): void => {
    for (const { mark, sentence } of finished) screen.finished(mark, at, sentence);
  };
  const colors = paint(viewer.flags.talkColor === true);
  const live = isLive(viewer);
  const checks = mandatoryChecks();
  const parts = partsOf(titleOf);
  // Of several applications a scenario may be started more than once.
  let startedAt: number | undefined;
  return {
    host: screen.host,
    onFact(fact) {
      watched.take(fact);
      tell(fact.at, checks(fact));
      tell(
        fact.at,
        finishedBy(fact).map((one) => ({ ...one, sentence: ofWhom(fact, one.sentence) })),
      );
      const part = parts(fact);
      if (part !== undefined) screen.section(part);
      for (const line of lineOf(fact, view.intended, view.isReal)) screen.line(colors.faint(line));
      if (fact.type === 'scenario-started') startedAt ??= Date.parse(fact.at);
      screen.touch();
    },
    onSample(...probed) {
      // Only the live region shows them.
      if (!live) return;
      watched.probed(...probed);
      screen.touch();
    },
    onWait(what, atMostSeconds) {
      watched.waits(what, atMostSeconds, now());
      screen.touch();
    },
    scenarioEnded(result) {
      const at = new Date(now()).toISOString();
      screen.section();
      tell(at, [scenarioFinished(result, (now() - (startedAt ?? now())) / 1000)]);
      startedAt = undefined;
      screen.line(scenarioLine(result, at, colors));
    },
    end: screen.end,
  };
}

const titleOf = (name: string): string => scenarioNamed(name)?.title ?? name;

/** Counts the checks that a run must pass to begin, and says how many were good when the next thing happens. */
function mandatoryChecks(): (fact: ValidationFact) => readonly Finished[] {
  let good = 0;
  let all = 0;
  return (fact) => {
    if (fact.type === 'check-finished' && fact.mandatory) {
      all += 1;
      good += fact.finding.severity === 'error' ? 0 : 1;
      return [];
    }
    if (all === 0 || !afterChecks.has(fact.type)) return [];
    const counted = all;
    all = 0;
    return [checksFinished(good, counted)];
  };
}

const afterChecks: ReadonlySet<string> = new Set([
  'action-intended',
  'application-verified',
  'run-failed',
  'run-finished',
]);

/** The parts of a run that CI systems fold. */
function partsOf(title: typeof titleOf): (fact: ValidationFact) => string | undefined {
  let isApplied = false;
  let scenario: string | undefined;
  return (fact) => {
    if (fact.type === 'run-started') return 'Phase 1: pre-check';
    if (fact.type === 'scenario-predicted' && fact.scenario === scenario) return undefined;
    if (fact.type === 'scenario-predicted') {
      scenario = fact.scenario;
      return `Phase 4: ${title(scenario)}`;
    }
    if (fact.type !== 'action-intended' || fact.scenario !== null || isApplied) return undefined;
    isApplied = true;
    return 'Phase 3: apply and verify';
  };
}

function scenarioLine({ verdict, title, downtime }: ScenarioResult, at: string, colors: Paint): string {
  const { good: pass, bad: fail, doubtful: inconclusive, faint } = colors;
  const painted = { pass, fail, inconclusive, 'not-tested': faint }[verdict](verdict);
  const measured = downtime === null ? '' : `, ${downtimeText(downtime)}`;
  return `${painted} ${title}${measured} (${timeOf(at)})`;
}
