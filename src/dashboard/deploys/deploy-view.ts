import { inWords } from '../../deployment/log/fact-words.ts';
import type { DeployDocument } from '../../deployment/record/document.ts';
import type { DeploymentFact } from '../../deployment/record/events.ts';
import { isHealthy } from '../../deployment/record/health.ts';
import { runsOf } from '../../deployment/record/history.ts';
import { isEnd, next, type State, type Tag } from '../../deployment/record/states.ts';
import type { VisitorCounts } from '../../deployment/record/visitor-counts.ts';
import type { ProbeDocument } from '../../deployment/record/visitors.ts';
import { type DeployLine, deployLine } from './deploy-line.ts';

/**
 * A deploy as its page shows it, while it runs and later. Instants are epoch milliseconds; what is not known yet, or
 * was not there, is null.
 */
export interface DeployView extends DeployLine {
  readonly directory: string;
  readonly variant: string;
  readonly mode: string;
  /** What it does now; null after its end. */
  readonly doing: string | null;
  readonly failedStep: string | null;
  readonly steps: readonly Step[];
  readonly health: readonly HealthLine[];
  readonly rollback: Rollback | null;
  readonly visitors: readonly VisitedSecond[];
  readonly probe: ProbeDocument | null;
  readonly sent: { readonly message: string; readonly notifications: DeployDocument['notifications'] } | null;
  readonly log: readonly LogLine[];
}
export interface HealthLine {
  readonly at: number;
  readonly when: string;
  readonly commit: string | null;
  /** 0 when there was no answer. */
  readonly httpStatus: number;
  readonly seconds: number | null;
  readonly isHealthy: boolean;
  readonly because: string | null;
}
export interface Rollback {
  readonly from: string;
  readonly to: string;
  readonly because: string | null;
  readonly state: 'running' | 'done' | 'failed';
}

/** The view of the one run that these facts are of; undefined before its first one. */
export function deployView(
  facts: readonly DeploymentFact[],
  directory: string,
  liveId: string | undefined,
): DeployView | undefined {
  const [run] = runsOf(facts);
  const started = facts.find(({ type }) => type === 'run-started');
  if (run === undefined || started?.type !== 'run-started') return undefined;
  const line = deployLine(run, liveId);
  const sent = facts.findLast(({ type }) => type === 'notified');
  return {
    ...line,
    directory,
    variant: started.variant,
    mode: run.mode,
    doing: line.state === 'running' ? doing[stateOf(facts)] : null,
    failedStep: run.document?.failedStep ?? null,
    steps: deploySteps(facts),
    health: facts.flatMap(healthLine),
    rollback: rollbackOf(facts),
    visitors: visitedSeconds(facts),
    probe: run.document?.probe ?? null,
    sent: sent?.type === 'notified' ? { message: sent.message, notifications: sent.notifications } : null,
    log: deployLog(facts),
  };
}

function stateOf(facts: readonly DeploymentFact[]): State {
  const last = facts.findLast(({ type }) => type === 'state-changed');
  return last?.type === 'state-changed' ? last.to : 'started';
}

const atItsEnd = 'Writes its outcome, tells people and tidies up';
const doing: Readonly<Record<State, string>> = {
  started: 'Fetches the branch',
  fetched: 'Brings the checkout to the new commit',
  reset: 'Rebuilds the caches and checks the health',
  returned: 'Checks the health of the commit that it went back to',
  'rolling-back': 'Goes back to the previous commit',
  verified: atItsEnd,
  unchanged: atItsEnd,
  updated: atItsEnd,
  'rolled-back': 'Checks the health of the previous commit',
  'rolled-back-unhealthy': atItsEnd,
  'rollback-failed': atItsEnd,
  aborted: atItsEnd,
};

function healthLine(fact: DeploymentFact): readonly HealthLine[] {
  if (fact.type === 'baseline-checked') {
    const { status } = fact;
    return [{ ...asked(fact.at, 'before the deploy', status), isHealthy: status === 200, commit: null, because: null }];
  }
  if (fact.type !== 'state-changed') return [];
  const { event, from } = fact;
  if (event.type !== 'health-checked' && event.type !== 'health-checked-before' && event.type !== 'repaired') return [];
  const { status, commit, doubt, reason, at = fact.at, seconds = null } = event;
  const because = doubt ?? reason ?? null;
  return [{ ...asked(at, whenOf(event.type, from), status), seconds, commit, because, isHealthy: isHealthy(event) }];
}

const asked = (at: string, when: string, httpStatus: number) => ({
  at: Date.parse(at),
  when,
  httpStatus,
  seconds: null,
});

function whenOf(type: 'health-checked' | 'health-checked-before' | 'repaired', from: State): string {
  if (type === 'repaired') return 'after the repair of a killed run';
  if (type === 'health-checked-before') return 'before the switch';
  return isEnd(from) ? 'after the rollback' : 'of the new commit';
}

function rollbackOf(facts: readonly DeploymentFact[]): Rollback | null {
  const intended = facts.find(({ type }) => type === 'rollback-intended');
  if (intended?.type !== 'rollback-intended') return null;
  const events = facts.flatMap((fact) => (fact.type === 'state-changed' ? [fact.event.type] : []));
  const ended = events.includes('rolled-back') ? 'done' : 'running';
  return {
    from: intended.from,
    to: intended.to,
    because: intended.because ?? null,
    state: events.includes('rollback-failed') ? 'failed' : ended,
  };
}

/** A line of the deploy's log, as in the deployment log but without the commands' output. */
interface LogLine {
  /** Epoch milliseconds. */
  readonly at: number;
  /** Null for a step, and for what the deployment log has without a tag. */
  readonly tag: Tag | null;
  readonly text: string;
}

function deployLog(facts: readonly DeploymentFact[]): readonly LogLine[] {
  return facts.flatMap((fact) => {
    const text = inWords(fact);
    return text === undefined ? [] : [{ at: Date.parse(fact.at), tag: tagOf(fact), text }];
  });
}

function tagOf(fact: DeploymentFact): Tag | null {
  if (fact.type === 'state-changed') return next(fact.from, fact.event)?.log ?? null;
  if (fact.type === 'notified') return fact.notifications.every(({ ok }) => ok) ? 'INFO' : 'ERROR';
  return fact.type === 'step-finished' ? null : 'INFO';
}

/** A step that has ended, as a bar of the waterfall. Instants are epoch milliseconds. */
interface Step {
  readonly name: string;
  readonly from: number;
  readonly to: number;
  readonly isHealth: boolean;
  readonly isFailed: boolean;
  /** A step of the rollback. */
  readonly isBack: boolean;
}

/**
 * The steps in the order of their ends. A health check has failed where its answer was not good, although it could be
 * made.
 */
function deploySteps(facts: readonly DeploymentFact[]): readonly Step[] {
  const turn = facts.findIndex((fact) => fact.type === 'state-changed' && fact.to === 'rolling-back');
  return facts.flatMap((fact, index) => {
    if (fact.type !== 'step-finished') return [];
    const to = Date.parse(fact.at);
    const isHealth = isHealthStep(fact.name);
    const isFailed = fact.exitCode !== 0 || (isHealth && isBadAfter(facts.slice(index)));
    const isBack = turn !== -1 && index > turn;
    return [{ name: fact.name, from: to - fact.seconds * 1000, to, isHealth, isFailed, isBack }];
  });
}

const isHealthStep = (name: string): boolean => name === 'health' || name === 'health before';

/** Whether the next judged answer is bad. */
function isBadAfter(facts: readonly DeploymentFact[]): boolean {
  for (const fact of facts) if (fact.type === 'state-changed' && 'status' in fact.event) return !isHealthy(fact.event);
  return false;
}

/** What visitors got whose requests began in this second. */
interface VisitedSecond extends VisitorCounts {
  /** Epoch milliseconds. */
  readonly at: number;
}

/**
 * The seconds with a request, in order. Answers that came late are added to the second in which they were asked for.
 */
function visitedSeconds(facts: readonly DeploymentFact[]): readonly VisitedSecond[] {
  const seconds = new Map<number, VisitedSecond>();
  for (const fact of facts) {
    if (fact.type !== 'visitors-counted') continue;
    const at = Date.parse(fact.second);
    seconds.set(at, added(seconds.get(at) ?? { at, requests: 0, failed: 0, slow: 0, torn: 0 }, fact));
  }
  return [...seconds.values()].toSorted((one, other) => one.at - other.at);
}

const added = (sum: VisitedSecond, { requests, failed, slow, torn }: VisitorCounts): VisitedSecond => ({
  at: sum.at,
  requests: sum.requests + requests,
  failed: sum.failed + failed,
  slow: sum.slow + slow,
  torn: sum.torn + torn,
});
