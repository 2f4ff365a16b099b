import { total } from '../../host/load/tally.ts';
import type { Expectation } from '../finding.ts';
import type { LoadRecorded, WorkerAmiss, WorkersSeen } from '../record/load-recorded.ts';

/**
 * The largest share of failures of the clients themselves, of answers from something else, or of requests that were not
 * sent, with which the load still counts (docs/facts/measuring.md, "Load").
 */
export const mostInvalid = 0.001;

/** Workers that are named; more of them are counted. */
const mostNamed = 5;

/**
 * A request that was not sent is no answer: too many of them, and the load was not what it should have been. Nothing is
 * said of a load from this machine that sent them all.
 */
export function everySent(load: LoadRecorded): readonly Expectation[] {
  const { unsent = 0, workers, statuses, errors } = load;
  if (unsent === 0 && workers === undefined) return [];
  const asked = unsent + total(statuses) + total(errors as Record<string, number>);
  const isEnough = unsent <= mostInvalid * asked;
  return [
    {
      id: 'requests-sent',
      expected: `at most ${100 * mostInvalid} % of the ${asked} requests not sent`,
      outcome: isEnough ? 'met' : 'inconclusive',
      observed: [unsentText(unsent, asked), ...(workers === undefined ? [] : workersText(workers))].join('; '),
      advice: isEnough ? '' : adviceOf(workers),
    },
  ];
}

const unsentText = (unsent: number, asked: number): string =>
  unsent === 0 ? 'every one was sent' : `${unsent} were not sent (${((100 * unsent) / asked).toFixed(2)} %)`;

function workersText({ asked, sound, startSpreadSeconds, untimed, amiss }: WorkersSeen): readonly string[] {
  const spread = startSpreadSeconds === null ? '' : `, started within ${startSpreadSeconds.toFixed(2)} s`;
  const more = amiss.length - mostNamed;
  return [
    `${sound} of ${asked} workers sent their share${spread}`,
    ...amiss.slice(0, mostNamed).map(amissText),
    ...(more > 0 ? [`${more} more did not`] : []),
    ...(untimed > 0 ? [`the times of ${untimed} workers are not known`] : []),
  ];
}

const amissText = ({ index, what, because, requests, unsent }: WorkerAmiss): string =>
  `worker ${index} was ${what}: ${because}; ${unsent} of its ${requests} requests were not sent`;

function adviceOf(workers: WorkersSeen | undefined): string {
  if (workers === undefined)
    return 'raise load.concurrency or lower load.rate: the requests were not answered fast enough';
  return 'see the pods of the Job: give them nodes with room (load.worker), or ask for fewer workers';
}
