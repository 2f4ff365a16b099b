import assert from 'node:assert/strict';
import type { TestContext } from 'node:test';
import type { Bounded } from '../../src/figures/figures.js';
import type { ScenarioResult } from '../../src/validation/judge/run-result.ts';
import { type ScenarioRecord, scenarioRecords } from '../../src/validation/record/records.ts';
import type { Scenario } from '../../src/validation/scenarios/scenario.ts';
import { validationSchema } from '../../src/validation/settings.ts';
import { rehearse } from './rehearse.ts';
import { type TrueTimes, trueTimes } from './true-times.ts';

/** Bounds that the report of a rehearsal gives, and the truth. */
export interface Compared {
  readonly what: string;
  readonly trueSeconds: number;
  readonly bounds: Bounds;
  /** Whether the truth lies between them, but for what is not known of it. */
  readonly holds: boolean;
}
export interface AllCompared {
  readonly podReady: readonly Compared[];
  readonly nodeReady: readonly Compared[];
  /** One for each scenario with an outage that was seen. */
  readonly downtime: readonly Compared[];
  /** One for each scenario that was seen to be down for a part of the requests. */
  readonly span: readonly Compared[];
}

/**
 * The true times and the true downtime of each scenario of a rehearsal with that seed, beside the bounds of its report.
 */
export async function truthAndBounds(
  t: Pick<TestContext, 'after'>,
  seed: number,
  scenarios: readonly Scenario[],
): Promise<AllCompared> {
  let truth: TrueTimes | undefined;
  const { result, facts } = await rehearse(t, {
    seed,
    scenarios,
    onFact: (fact, rehearsal) => {
      if (fact.type === 'run-started') truth = trueTimes(rehearsal, validationSchema.parse({}).url);
      truth?.onFact(fact);
    },
  });
  assert.ok(truth !== undefined);
  const known = truth;
  const records = scenarioRecords(facts);
  const all = scenarios.flatMap((scenario) => {
    const record = records.find(({ name }) => name === scenario.name);
    const measured = result.scenarios.find(({ name }) => name === scenario.name);
    return record === undefined || measured === undefined ? [] : [{ scenario, record, measured }];
  });
  return {
    podReady: all.flatMap(({ scenario, record, measured }) =>
      timeOf(`seed ${seed}, pods of ${scenario.name}`, measured.podReady, podSeconds(scenario, record, known)),
    ),
    nodeReady: all.flatMap(({ scenario, record, measured }) =>
      timeOf(`seed ${seed}, nodes of ${scenario.name}`, measured.nodeReady, nodeSeconds(record, known)),
    ),
    downtime: all.flatMap(({ scenario, record, measured }) =>
      downtimeOf(`seed ${seed}, downtime of ${scenario.name}`, record, measured, known),
    ),
    span: all.flatMap(({ scenario, record, measured }) =>
      spanOf(`seed ${seed}, span of ${scenario.name}`, record, measured, known),
    ),
  };
}

/** A request is on its way for a millisecond or two. */
const toleranceSeconds = 0.005;

/** The longest is what the report gives. */
function timeOf(what: string, bounded: Bounded | null, all: readonly number[]): readonly Compared[] {
  return bounded === null ? [] : [compared(what, Math.max(...all), bounded, toleranceSeconds)];
}

type Bounds = Pick<Bounded, 'lowerSeconds' | 'upperSeconds'>;

function compared(what: string, trueSeconds: number, bounds: Bounds, tolerance: number): Compared {
  const { lowerSeconds, upperSeconds } = bounds;
  const holds = lowerSeconds <= trueSeconds + tolerance && trueSeconds <= upperSeconds + tolerance;
  return { what, trueSeconds, bounds: { lowerSeconds, upperSeconds }, holds };
}

function podSeconds({ replaces }: Scenario, { rounds }: ScenarioRecord, { createdAt, readyAt }: TrueTimes) {
  return rounds.flatMap(({ openedAt, actedAt, restAt }) =>
    [...readyAt].flatMap(([uid, ready]) => {
      const created = createdAt.get(uid) ?? 0;
      if (created < openedAt || ready > restAt) return [];
      return [(ready - (replaces ? actedAt : created)) / 1000];
    }),
  );
}

function nodeSeconds({ rounds }: ScenarioRecord, { claimedAt, initializedAt }: TrueTimes): readonly number[] {
  return rounds.flatMap(({ openedAt, actedAt, restAt }) =>
    [...initializedAt].flatMap(([uid, at]) =>
      (claimedAt.get(uid) ?? 0) < openedAt || at > restAt ? [] : [(at - actedAt) / 1000],
    ),
  );
}

/** The truth is looked at each 0.01 s, and a request is on its way for some milliseconds. */
const betweenLooksSeconds = 0.03;

interface Looked {
  readonly downSeconds: number;
  /** From the first moment in which requests fail to the last. */
  readonly spanSeconds: number;
}

/** The time in which requests fail: where only a part of them does, each moment counts with its share. */
function looked({ from, to }: { readonly from: number; readonly to: number }, { shares }: TrueTimes): Looked {
  const inside = shares.filter(({ at }) => at >= from && at < to);
  const endOf = (index: number) => inside[index + 1]?.at ?? to;
  const downMs = inside.reduce((sum, { at, bad }, index) => sum + bad * (endOf(index) - at), 0);
  const isBad = ({ bad }: { readonly bad: number }) => bad > 0;
  const [first, last] = [inside.findIndex(isBad), inside.findLastIndex(isBad)];
  return {
    downSeconds: thousandths(downMs / 1000),
    spanSeconds: first < 0 ? 0 : thousandths((endOf(last) - (inside[first]?.at ?? 0)) / 1000),
  };
}

const thousandths = (value: number): number => Math.round(1000 * value) / 1000;

/** An outage that no probe of the run saw has no bounds. */
function downtimeOf(
  what: string,
  { window }: ScenarioRecord,
  { downtime }: ScenarioResult,
  truth: TrueTimes,
): readonly Compared[] {
  if (downtime === null || window === undefined || downtime.upperSeconds === 0) return [];
  return [compared(what, looked(window, truth).downSeconds, downtime, betweenLooksSeconds)];
}

/** Of an outage that is known to be one of a part of the requests. */
function spanOf(
  what: string,
  { window }: ScenarioRecord,
  { downtime }: ScenarioResult,
  truth: TrueTimes,
): readonly Compared[] {
  if (downtime?.partial === undefined || window === undefined) return [];
  return [compared(what, looked(window, truth).spanSeconds, downtime.partial, betweenLooksSeconds)];
}
