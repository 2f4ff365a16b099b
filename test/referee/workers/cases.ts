import { shareOf } from '../../../src/host/load/shares.ts';
import type { LoadRecorded, WorkerAmiss } from '../../../src/validation/record/load-recorded.ts';
import { type Deed, deleteInTheMiddle, killInTheMiddle, stopOverTheStart } from './disturb.ts';

/** The load of every case. At that rate it takes 40 s, so that something can happen in its middle. */
export const workers = 4;
export const requests = 20_000;
export const concurrency = 500;
export const rate = 500;

export interface Case {
  /** What is done to the worker of each index. */
  readonly deeds: Readonly<Record<number, Deed>>;
  /** The workers may run on one node alone, which has room for all but one. */
  readonly lacksRoom: boolean;
  /** What the report has to say of each index that did not send its share, and by which words. */
  readonly expected: Readonly<Record<number, Expected>>;
}
interface Expected {
  readonly what: 'lost' | 'late' | 'starved' | 'stopped';
  readonly because: RegExp;
  readonly unsent: 'all' | 'some';
}

export const cases: Readonly<Record<string, Case>> = {
  undisturbed: { deeds: {}, lacksRoom: false, expected: {} },
  disturbed: {
    deeds: { 1: killInTheMiddle, 2: deleteInTheMiddle, 3: stopOverTheStart },
    lacksRoom: false,
    expected: {
      1: { what: 'lost', because: /ended without a report \(exit code 137/, unsent: 'all' },
      2: { what: 'stopped', because: /its pod was stopped/, unsent: 'some' },
      3: { what: 'late', because: /it was told the common start \d+\.\d s after it/, unsent: 'all' },
    },
  },
  'without-room': {
    deeds: {},
    lacksRoom: true,
    expected: { [workers - 1]: { what: 'lost', because: /Insufficient cpu/, unsent: 'all' } },
  },
};

/** What is not as it has to be, in words; nothing if the report counts every request once and says who sent less. */
export function mistakesOf({ expected }: Pick<Case, 'expected'>, load: LoadRecorded | undefined): readonly string[] {
  if (load?.workers === undefined) return ['the report has no load by workers'];
  const { statuses, errors, unsent = 0 } = load;
  const { amiss, sound, asked } = load.workers;
  const indexes = Object.keys(expected);
  return [
    ...other('answers, failures and requests not sent', sumOf(statuses) + sumOf(errors) + unsent, requests),
    ...other('requests not sent by the workers', sumOf(amiss.map((one) => one.unsent)), unsent),
    ...other('workers asked for', asked, workers),
    ...other('workers that sent their share', sound, workers - indexes.length),
    ...other('workers that did not', amiss.map(({ index }) => index).join(), indexes.join()),
    ...amiss.flatMap((one) => ofWorker(one, expected[one.index])),
  ];
}

function ofWorker({ index, what, because, requests: share, unsent }: WorkerAmiss, expected: Expected | undefined) {
  if (expected === undefined) return [];
  const wanted = shareOf({ url: '', requests, concurrency, timeoutSeconds: 0 }, workers, index).requests;
  const isCounted = expected.unsent === 'all' ? unsent === wanted : unsent > 0 && unsent < wanted;
  return [
    ...other(`what worker ${index} was`, what, expected.what),
    ...other(`the share of worker ${index}`, share, wanted),
    ...(expected.because.test(because) ? [] : [`of worker ${index} the report says: ${because}`]),
    ...(isCounted ? [] : [`of worker ${index} ${unsent} of ${wanted} are not sent`]),
  ];
}

const other = (what: string, seen: string | number, wanted: string | number): readonly string[] =>
  seen === wanted ? [] : [`${what}: ${seen}, and not ${wanted}`];

export const sumOf = (counts: object): number =>
  Object.values(counts).reduce((sum: number, one: number) => sum + one, 0);
