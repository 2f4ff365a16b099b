import { wholeSecondsText } from '../../figures/figures.js';
import { mostLateSeconds } from '../../host/load/pace.ts';
import { total } from '../../host/load/tally.ts';
import { type ExpectedStatuses, isExpected } from '../../settings/expected-status.ts';
import { workerOf } from '../../settings/load-settings.ts';
import type { Expectation } from '../finding.ts';
import { leadSeconds } from '../load-job/load-job.ts';
import { calmWithinSeconds } from '../measure/cpu.ts';
import type { Measurement } from '../measure/measure.ts';
import { atRestWithAtLeast, twoOrFewer } from '../observe/snapshot.ts';
import type { Circumstances } from '../predict/circumstances.ts';
import { typicalDurations } from '../predict/typical-durations.ts';
import type { LoadRecorded } from '../record/load-recorded.ts';
import { never, type Prediction, type Range, range, sum } from '../record/prediction.ts';
import type { Settings } from '../settings.ts';
import { everySent, mostInvalid } from './load-sent.ts';
import { loadJobNeeds, plannedLoad } from './load-target.ts';
import type { Scenario } from './scenario.ts';

/** "CPU stable": never above this share of the limit. */
const mostOfLimit = 0.9;

/** 4.1: 20,000 requests at concurrency 500. No 5xx, CPU stable, no pod crashes. */
export const load = {
  name: 'load',
  title: 'Load',
  expected: 'no 5xx; CPU stable; no pod crashes',
  explanation: {
    how: 'Sends 20,000 requests, 500 at a time, on own connections; every transport error is counted by its kind.',
    fails: [
      'Pods crash or are killed for memory, the ingress controller runs out of connections, or a rate limit answers 429.',
      'The client itself fails, for lack of ports, of file descriptors, or at a NAT gateway. Those errors are counted apart.',
    ],
    measured: [
      'every status',
      'restarts',
      'CPU: at most 90 % of the limit, and back near the baseline within a minute',
      'latency',
    ],
  },
  disturbs: ['ingress-controller'],
  restsOn: {
    'no-5xx': ['readiness-probe', 'resource-requests', 'application-replicas'],
    'no-crash': ['resource-requests'],
  },
  permissions: (settings) => [
    { group: 'metrics.k8s.io', resource: 'pods', verbs: ['list'], namespace: settings.namespace },
    ...loadJobNeeds(settings),
  ],
  requests: ({ load: { requests } }) => requests,
  predict: predictLoad,
  baseline: { appReplicas: 2, orMore: true },
  observes: 'cpu',
  plan: (_before, settings) => ({ actions: [plannedLoad(settings)] }),
  settled: (now, before) => atRestWithAtLeast(now, twoOrFewer(before)),
  // A crashed container restarts after 10 s and more (CrashLoopBackOff); as long as for the baseline.
  settleWithinSeconds: 450,
  // The minute within which the usage must be near the baseline, and metrics-server's window and resolution of 15 s
  // each.
  holdSeconds: 90,
  replaces: true,
  mayRemoveEmptyNodes: false,
  mayLoseEndpoints: false,
  judge: (measured, { monitor: { expect } }) => [...answers(measured, expect), noCrash(measured), cpuStable(measured)],
} as const satisfies Scenario;

function answers({ load: result }: Measurement, expect: ExpectedStatuses): readonly Expectation[] {
  if (result === undefined)
    return [{ id: 'no-5xx', expected: 'no 5xx', outcome: 'inconclusive', observed: 'the load did not end' }];
  return [
    noServerErrors(result),
    everyAnswer(result),
    ...otherAnswers(result, expect),
    ...ownTrouble(result),
    ...everySent(result),
  ];
}

function noServerErrors({ statuses, seconds, percentiles, generator }: LoadRecorded): Expectation {
  const failed = total(Object.fromEntries(Object.entries(statuses).filter(([status]) => status >= '500')));
  const by = generator === undefined ? '' : ` by ${generator}`;
  return {
    id: 'no-5xx',
    expected: 'no 5xx',
    outcome: failed === 0 ? 'met' : 'not-met',
    observed: `${countsOf(statuses)} in ${seconds.toFixed(1)} s${by}; ${timesText(percentiles)}`,
    advice: failed === 0 ? '' : 'see the logs of the application at that time: it answered, and could not serve',
  };
}

function timesText(percentiles: LoadRecorded['percentiles']): string {
  if (percentiles === null) return 'how long they took is not known: the generator does not tell it';
  const { p50, p99, max } = percentiles;
  return `half took at most ${p50.toFixed(3)} s, 99 of 100 ${p99.toFixed(3)} s, all ${max.toFixed(3)} s`;
}

/** A connection that was cut, refused or timed out is no 5xx, but it is no answer either. */
function everyAnswer({ errors }: LoadRecorded): Expectation {
  const { client: _, ...theirs } = errors;
  const failed = total(theirs);
  return {
    id: 'every-request-answered',
    expected: 'every request answered',
    outcome: failed === 0 ? 'met' : 'not-met',
    observed: failed === 0 ? 'every one' : `${failed} were not: ${countsOf(theirs)}`,
    advice:
      failed === 0 ? '' : 'connections were cut or never made: see worker_connections, limits and restarts on the path',
  };
}

/** Answers of a firewall or a rate limit instead of the application: those requests were no load for it. */
function otherAnswers({ statuses }: LoadRecorded, expect: ExpectedStatuses): readonly Expectation[] {
  const others = Object.fromEntries(
    Object.entries(statuses).filter(([status]) => !isExpected(Number(status), expect) && Number(status) < 500),
  );
  return invalidShare(total(others), total(statuses), {
    id: 'application-answered',
    expected: `of the answers are others than ${expect}`,
    observed: countsOf(others),
    advice: 'let the load pass through the firewall and the rate limits on the path, or send less of it',
  });
}

function ownTrouble({ errors, statuses }: LoadRecorded): readonly Expectation[] {
  const { client = 0 } = errors;
  return invalidShare(client, total(errors) + total(statuses), {
    id: 'client-errors',
    expected: 'of the requests fail on this machine itself',
    observed: `${client} could not be made`,
    advice: 'raise the limit of open files and the range of local ports on this machine',
  });
}

/** A small share is met; with a larger one the load was not what it should have been, which is inconclusive. */
function invalidShare(count: number, all: number, of: Omit<Expectation, 'outcome'>): readonly Expectation[] {
  if (count === 0) return [];
  const share = count / all;
  return [
    {
      ...of,
      expected: `at most ${100 * mostInvalid} % ${of.expected}`,
      outcome: share > mostInvalid ? 'inconclusive' : 'met',
      observed: `${of.observed} (${(100 * share).toFixed(2)} %)`,
    },
  ];
}

/** `20000 × 200, 3 × reset`. */
function countsOf(counts: Readonly<Record<string, number>>): string {
  return (
    Object.entries(counts)
      .map(([what, count]) => `${count} × ${what}`)
      .join(', ') || 'none'
  );
}

function noCrash({ application }: Measurement): Expectation {
  const restarts = application?.podRestarts;
  return {
    id: 'no-crash',
    expected: 'no pod crashes',
    outcome: restarts === undefined ? 'inconclusive' : restarts === 0 ? 'met' : 'not-met',
    observed: restarts === undefined ? 'the pods were not observed' : `${restarts} container restarts`,
    advice: restarts === 0 ? '' : 'see why it ended: kubectl describe pod shows the last state; 137 is out of memory',
  };
}

function cpuStable({ cpu }: Measurement): Expectation {
  const id = 'cpu-stable';
  const expected = `CPU stable: at most ${100 * mostOfLimit} % of the limit, and near the baseline within ${calmWithinSeconds} s`;
  if (cpu === undefined || 'because' in cpu)
    return { id, expected, outcome: 'noted', observed: `not measured: ${cpu?.because ?? 'there was no load'}` };
  const { baseline, peak, peakOfLimit, calmSeconds } = cpu;
  const tooMuch = peakOfLimit !== null && peakOfLimit > mostOfLimit;
  const isUnsettled = calmSeconds === null || calmSeconds > calmWithinSeconds;
  const limit = peakOfLimit === null ? 'without a limit' : `${Math.round(100 * peakOfLimit)} % of the limit`;
  const calm = calmSeconds === null ? 'not near it again' : `near it again after ${wholeSecondsText(calmSeconds)}`;
  return {
    id,
    expected,
    outcome: tooMuch || isUnsettled ? 'not-met' : 'met',
    observed: `${Math.round(baseline)}m before, at most ${Math.round(peak)}m (${limit}), ${calm}`,
    advice: tooMuch ? 'raise the CPU limit, or add replicas' : '',
  };
}

/**
 * A closed loop of requests ends after seconds, during few of the monitor's samples (docs/facts/measuring.md, "Load").
 */
function predictLoad(_now: Circumstances, { load: settings }: Settings): Prediction {
  const { requests, concurrency, rate, workers } = settings;
  const duration =
    rate === undefined ? typicalDurations.load : range(requests / rate, requests / rate + mostLateSeconds);
  const from = workers === undefined ? '' : ` from ${workers} pods`;
  return {
    durationSeconds: sum(typicalDurations.frame, startOf(settings), duration, range(0, 60)),
    downtimeSeconds: never,
    nodeReadySeconds: null,
    podReadySeconds: null,
    steps: [
      {
        afterSeconds: duration,
        measuredAs: 'load-ended',
        what: `${requests} requests are answered`,
        because: `${concurrency} at a time${from}, ${rate === undefined ? 'as fast as they are answered' : `${rate} a second`}`,
      },
    ],
  };
}

/**
 * From the Job until its pods begin together: an image that is there takes seconds, and after `startWithin` the load
 * begins anyway.
 */
function startOf(load: Settings['load']): Range {
  if (load.workers === undefined) return range(0, 0);
  const lead = leadSeconds(load.workers);
  return range(lead, workerOf(load).startWithin + lead);
}
