import assert from 'node:assert/strict';
import { test } from 'node:test';
import { afterSignal } from '../../../src/deployment/log/progress.ts';
import { exitCode } from '../../../src/deployment/record/document.ts';
import {
  type DeployEvent,
  isEnd,
  next,
  type State,
  type Transition,
  transitions,
} from '../../../src/deployment/record/states.ts';

const commit = 'a'.repeat(40);
const because = 'a reason';

/** One event of each type, and of each kind that the table tells apart. */
const events: Readonly<Record<string, DeployEvent>> = {
  'directory-change-failed': { type: 'directory-change-failed', because },
  refused: { type: 'refused', because, exitCode: 6 },
  failed: { type: 'failed', because },
  'previous-commit-recorded': { type: 'previous-commit-recorded', commit },
  repaired: { type: 'repaired', commit, status: 200 },
  'fetch-failed': { type: 'fetch-failed' },
  fetched: { type: 'fetched', commit },
  unchanged: { type: 'unchanged', commit },
  'start-failed': { type: 'start-failed', commit, because },
  'reset-failed': { type: 'reset-failed' },
  reset: { type: 'reset', commit },
  updated: { type: 'updated', commit },
  'step-failed': { type: 'step-failed', step: 'migrate', because },
  healthy: { type: 'health-checked', commit, status: 200 },
  unhealthy: { type: 'health-checked', commit, status: 500 },
  'healthy before': { type: 'health-checked-before', commit, status: 200 },
  'unhealthy before': { type: 'health-checked-before', commit, status: 500 },
  'target-found': { type: 'target-found', commit },
  'rolled-back': { type: 'rolled-back', commit },
  'environment-blamed': { type: 'environment-blamed', commit, because },
  stayed: { type: 'stayed', commit },
  'rollback-failed': { type: 'rollback-failed', commit },
};

interface Step {
  readonly from: State;
  readonly name: string;
  readonly signal: boolean;
  readonly to: State;
  /** The tags of the log lines, and `!` behind the tag of what people are told. */
  readonly tags: readonly string[];
  readonly events: readonly DeployEvent[];
}

/**
 * Every step from every reachable state: each event that can happen there, without a signal and with one that has come
 * by then.
 */
function stepsOf(rows: readonly Transition[]): readonly Step[] {
  const steps: Step[] = [];
  const states = new Set<State>(['started']);
  // A set is visited in the order of its values, those that are added meanwhile included.
  for (const from of states) {
    const here = Object.entries(events).flatMap(([name, event]) => stepsBy(from, name, event, rows));
    for (const { to } of here) states.add(to);
    steps.push(...here);
  }
  return steps;
}

function stepsBy(from: State, name: string, event: DeployEvent, rows: readonly Transition[]): readonly Step[] {
  if (next(from, event, rows) === undefined) return [];
  return [false, true].map((signal) => {
    const happening = signal ? afterSignal(from, event, 'SIGTERM') : [event];
    return { from, name, signal, events: happening, ...take(from, happening, rows) };
  });
}

function take(from: State, happening: readonly DeployEvent[], rows: readonly Transition[]): Pick<Step, 'to' | 'tags'> {
  let to = from;
  const tags: string[] = [];
  for (const event of happening) {
    const row = next(to, event, rows);
    if (row === undefined) return { to, tags: [...tags, 'CANNOT HAPPEN'] };
    to = row.to;
    tags.push(`${row.log ?? '-'}${row.notify === true ? '!' : ''}`);
  }
  return { to, tags };
}

const textOf = (rows: readonly Transition[]): string =>
  stepsOf(rows)
    .map(
      ({ from, name, signal, to, tags }) => `${from} + ${name}${signal ? ' + SIGTERM' : ''}: ${to} ${tags.join(' ')}`,
    )
    .join('\n');

/** From what a reader of sections 3.3, 6 and 7 and of docs/contract.md expects; `!` is told to people. */
const expected = `
started + directory-change-failed: aborted ERROR
started + directory-change-failed + SIGTERM: aborted ERROR!
started + refused: aborted ERROR
started + refused + SIGTERM: aborted ERROR!
started + failed: aborted ERROR!
started + failed + SIGTERM: aborted ERROR!
started + previous-commit-recorded: started INFO
started + previous-commit-recorded + SIGTERM: aborted INFO ERROR!
started + repaired: started INFO
started + repaired + SIGTERM: aborted INFO ERROR!
started + fetch-failed: aborted ERROR!
started + fetch-failed + SIGTERM: aborted ERROR!
started + fetched: fetched -
started + fetched + SIGTERM: aborted - ERROR!
started + unchanged: unchanged INFO
started + unchanged + SIGTERM: unchanged INFO
started + target-found: fetched INFO
started + target-found + SIGTERM: aborted INFO ERROR!
started + rollback-failed: rollback-failed ERROR!
started + rollback-failed + SIGTERM: rollback-failed ERROR!
aborted + rollback-failed: rollback-failed ERROR!
aborted + rollback-failed + SIGTERM: rollback-failed ERROR!
fetched + refused: aborted ERROR
fetched + refused + SIGTERM: aborted ERROR!
fetched + failed: aborted ERROR!
fetched + failed + SIGTERM: aborted ERROR!
fetched + unchanged: unchanged INFO
fetched + unchanged + SIGTERM: unchanged INFO
fetched + start-failed: rolling-back ERROR
fetched + start-failed + SIGTERM: aborted ERROR!
fetched + reset-failed: aborted ERROR!
fetched + reset-failed + SIGTERM: aborted ERROR!
fetched + reset: reset INFO
fetched + reset + SIGTERM: rolling-back INFO ERROR
fetched + rolled-back: returned ROLLBACK
fetched + rolled-back + SIGTERM: returned ROLLBACK INFO
fetched + rollback-failed: rollback-failed ERROR!
fetched + rollback-failed + SIGTERM: rollback-failed ERROR!
rolling-back + step-failed: rolling-back ERROR
rolling-back + step-failed + SIGTERM: rolling-back ERROR
rolling-back + rolled-back: rolled-back ROLLBACK!
rolling-back + rolled-back + SIGTERM: rolled-back ROLLBACK!
rolling-back + environment-blamed: rolling-back INFO
rolling-back + environment-blamed + SIGTERM: rolling-back INFO
rolling-back + stayed: rolled-back-unhealthy ERROR!
rolling-back + stayed + SIGTERM: rolled-back-unhealthy ERROR!
rolling-back + rollback-failed: rollback-failed ERROR!
rolling-back + rollback-failed + SIGTERM: rollback-failed ERROR!
reset + failed: rolling-back ERROR
reset + failed + SIGTERM: rolling-back ERROR
reset + updated: updated SUCCESS!
reset + updated + SIGTERM: updated SUCCESS!
reset + step-failed: rolling-back ERROR
reset + step-failed + SIGTERM: rolling-back ERROR
reset + healthy: verified SUCCESS!
reset + healthy + SIGTERM: verified SUCCESS!
reset + unhealthy: rolling-back ERROR
reset + unhealthy + SIGTERM: rolling-back ERROR
reset + healthy before: reset INFO
reset + healthy before + SIGTERM: rolling-back INFO ERROR
reset + unhealthy before: rolling-back ERROR
reset + unhealthy before + SIGTERM: rolling-back ERROR
returned + failed: rolling-back ERROR
returned + failed + SIGTERM: rolling-back ERROR
returned + updated: updated SUCCESS!
returned + updated + SIGTERM: updated SUCCESS!
returned + step-failed: rolling-back ERROR
returned + step-failed + SIGTERM: rolling-back ERROR
returned + healthy: verified SUCCESS!
returned + healthy + SIGTERM: verified SUCCESS!
returned + unhealthy: rolling-back ERROR
returned + unhealthy + SIGTERM: rolling-back ERROR
rolled-back + healthy: rolled-back INFO!
rolled-back + healthy + SIGTERM: rolled-back INFO!
rolled-back + unhealthy: rolled-back-unhealthy ERROR!
rolled-back + unhealthy + SIGTERM: rolled-back-unhealthy ERROR!
rolled-back + environment-blamed: rolled-back INFO
rolled-back + environment-blamed + SIGTERM: rolled-back INFO
updated + failed: updated ERROR
updated + failed + SIGTERM: updated ERROR
updated + step-failed: updated ERROR
updated + step-failed + SIGTERM: updated ERROR
`.trim();

test('each reachable state and each event lead where the table of 3.3 and the contract say, with and without a signal', () => {
  assert.equal(textOf(transitions), expected);
});

test('no event is impossible because a signal has come', () => {
  assert.deepEqual(
    stepsOf(transitions).filter(({ tags }) => tags.includes('CANNOT HAPPEN')),
    [],
  );
});

test('each row of the table decides something: without it, or with another next state, tag, message or condition, the steps differ', (t) => {
  const mutants = [...transitions.keys()].flatMap(mutantsOfRow);
  for (const { row, table } of mutants) assert.notEqual(textOf(table), expected, `${row.from} on ${row.on}`);
  t.diagnostic(`${transitions.length} rows, ${mutants.length} mutants`);
});

/** The table without that row, or with the row changed in one of its members. */
function mutantsOfRow(index: number): readonly { readonly row: Transition; readonly table: readonly Transition[] }[] {
  const row = transitions[index] as Transition;
  const { when } = row;
  const changed: readonly Transition[] = [
    { ...row, to: row.to === 'aborted' ? 'verified' : 'aborted' },
    { ...row, log: row.log === 'INFO' ? 'ERROR' : 'INFO' },
    { ...omitNotify(row), ...(row.notify ? {} : { notify: true }) },
    ...(when === undefined ? [] : [{ ...row, when: (event: DeployEvent) => when(event) !== true }]),
  ];
  const tables = [transitions.toSpliced(index, 1), ...changed.map((other) => transitions.with(index, other))];
  return tables.map((table) => ({ row, table }));
}

const omitNotify = ({ notify: _, ...row }: Transition): Transition => row;

test('every state that a run can reach leads to an end', () => {
  const steps = stepsOf(transitions);
  const leads = new Set<State>(steps.flatMap(({ from, to }) => [from, to]).filter(isEnd));
  for (let size = -1; size !== leads.size; ) {
    size = leads.size;
    for (const { from, to } of steps) if (leads.has(to)) leads.add(from);
  }
  assert.deepEqual(new Set(steps.map(({ from }) => from)).difference(leads), new Set());
});

test('a run to which a signal came ends with 128+n where it was put back or finished, and with 5 where it was not; never with 70', () => {
  const codes = new Map<State, Set<number>>();
  const stepsFrom = Map.groupBy(stepsOf(transitions), ({ from }) => from);
  /** From there on every way that repeats no event, and on which no signal goes away again. */
  const follow = (state: State, path: readonly DeployEvent[], signalled: boolean): void => {
    if (isEnd(state) && signalled)
      codes.set(state, (codes.get(state) ?? new Set()).add(exitCode(state, path, 'SIGTERM')));
    const ways = (stepsFrom.get(state) ?? []).filter(
      (step) => (step.signal || !signalled) && !step.events.some((event) => path.includes(event)),
    );
    // No run has more events than that without repeating one.
    if (path.length < 8) for (const { to, events: more, signal } of ways) follow(to, [...path, ...more], signal);
  };
  follow('started', [], false);
  assert.deepEqual(
    Object.fromEntries([...codes].map(([state, found]) => [state, [...found].toSorted((a, b) => a - b)])),
    {
      aborted: [143],
      'rollback-failed': [5],
      'rolled-back': [143],
      'rolled-back-unhealthy': [5],
      unchanged: [143],
      updated: [5, 143],
      verified: [143],
    },
  );
});
