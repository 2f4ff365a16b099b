import type { OwnBehaviour } from '@holdfast/embedded-cluster';
import { rehearseSchema } from '../../settings/rehearse-settings.ts';
import type { Verdict } from '../../validation/judge/run-result.ts';
import type { RehearsedApplication } from '../../validation/record/application-rehearsed.ts';
import { rangeOf } from '../../validation/record/assumption-range.ts';
import type { Assumption } from '../../validation/record/events.ts';
import type { Settings } from '../../validation/settings.ts';
import { ownBehaviours, ownKey } from './own-behaviours.ts';
import { fails, remembered, turningPoint } from './turning-point.ts';

const { most: mostSeconds } = rangeOf('start');
const times = ['start', 'stop', 'pull'] as const;
const answers = ['sigterm', 'answers'] as const;

export interface Asked {
  readonly application: Pick<RehearsedApplication, 'kind' | 'namespace' | 'name'>;
  /** Its name among the applications of the run. */
  readonly named: string;
  /** Whether visitors reach no other. */
  readonly isOnly: boolean;
  readonly settings: Settings;
  readonly verdict: Verdict;
  /** Whether another outcome of the load would make it another verdict. */
  readonly isDecidedByLoad: boolean;
}

/**
 * What the manifests do not say of the application, each with its value and where the verdict of the whole rehearsal
 * turns if that value alone is another. Of several applications, and of one with settings of its own, only its own pods
 * are changed.
 */
export async function* judgedAssumptions(
  asked: Asked,
  verdictWith: VerdictWith,
  print: (text: string) => void,
): AsyncGenerator<Assumption> {
  const { named, verdict, isDecidedByLoad } = asked;
  const { behaviour, settingOf, verdictIf } = changing(asked, verdictWith);
  for (const name of times) {
    const [setting, seconds] = [settingOf(name), behaviour[name]];
    print(`assumption ${setting} ${seconds} s: further rehearsals find where the verdict turns`);
    const found = await certainTurn({ seconds, verdict }, (at) => verdictIf({ [name]: at }, 0));
    yield { name, application: named, value: seconds, setting, ...found };
  }
  const setting = settingOf('request');
  if (isDecidedByLoad) print(`assumption ${setting}: rehearsals of the load find where the verdict turns`);
  const ofLoad = (at: number) => verdictIf({ request: at }, 0, true);
  const turnsAt = isDecidedByLoad ? await turnOfLoad({ seconds: behaviour.request, verdict }, ofLoad) : null;
  yield { name: 'request', application: named, value: behaviour.request, setting, turnsAt };
  for (const name of answers) {
    const [setting, value] = [settingOf(name), behaviour[name]];
    print(`assumption ${setting} ${value ? 'yes' : 'no'}: one more rehearsal says whether the verdict turns`);
    const { verdict: other } = await certainVerdict(verdict, (later) => verdictIf({ [name]: !value }, later));
    const turnsAt = other === verdict ? null : { value: !value, verdict: other };
    yield { name, application: named, value, setting, turnsAt };
  }
}

/** The verdict of a rehearsal with these settings, by that much another seed; `onlyLoad`: of the load alone. */
type VerdictWith = (settings: Settings, laterSeed: number, onlyLoad?: true) => Promise<Verdict>;

/** What is assumed of the application, by which setting, and the verdict if it behaves otherwise. */
function changing({ application, named, isOnly, settings }: Asked, verdictWith: VerdictWith) {
  const known = ownKey(settings, application);
  const key = known ?? (isOnly ? undefined : named);
  const { every, byWorkload } = ownBehaviours(settings);
  const behaviour = byWorkload[known ?? ''] ?? every;
  const settingOf = (name: string) => `rehearse.${key === undefined ? 'application' : `applications.${key}`}.${name}`;
  const verdictIf = (changed: Partial<OwnBehaviour>, laterSeed: number, onlyLoad?: true) => {
    const own = { ...behaviour, ...changed };
    const { applications } = settings.rehearse ?? {};
    const other = key === undefined ? { application: own } : { applications: { ...applications, [key]: own } };
    const rehearse = { ...rehearseSchema.parse({}), ...settings.rehearse, ...other };
    return verdictWith({ ...settings, rehearse }, laterSeed, onlyLoad);
  };
  return { behaviour, settingOf, verdictIf };
}

/**
 * Rehearsals of one value are alike with all seeds, because the value decides when a request is cut. The neighbouring
 * values show the effect of chance.
 */
async function certainTurn(
  { seconds, verdict }: { readonly seconds: number; readonly verdict: Verdict },
  rehearse: (seconds: number) => Promise<Verdict>,
): Promise<Pick<Assumption, 'turnsAt' | 'byChanceAt'>> {
  const byChanceAt: number[] = [];
  const verdictOf = remembered(rehearse);
  const verdictAt = async (at: number) => {
    const found = await certainVerdict(verdict, (later) => verdictOf(farther(at, seconds, later)));
    if (found.byChance) byChanceAt.push(at);
    return found.verdict;
  };
  const isChance = (at: number) => byChanceAt.includes(at);
  const turnsAt = await turningPoint({ seconds, verdict, mostSeconds, verdictAt, isChance });
  const inOrder = byChanceAt.toSorted((one, other) => one - other);
  return { turnsAt, ...(inOrder.length > 0 && { byChanceAt: inOrder }) };
}

/**
 * What a request costs is seen in the load alone: what the other scenarios found stays as it is. Where the load can be
 * judged, an application that is too busy to come to rest before it (inconclusive) fails: dearer requests are no way to
 * pass.
 */
async function turnOfLoad(
  { seconds, verdict }: { readonly seconds: number; readonly verdict: Verdict },
  ofLoad: (seconds: number) => Promise<Verdict>,
): Promise<Assumption['turnsAt']> {
  const { step, most } = rangeOf('request');
  const inSeconds = (steps: number) => Number((steps * step).toFixed(6));
  const isJudged = verdict !== 'inconclusive' || (await ofLoad(seconds)) === 'pass';
  const verdictAt = async (steps: number) => {
    const seen = await ofLoad(inSeconds(steps));
    if (fails(seen) || (isJudged && seen !== 'pass')) return 'fail';
    return fails(verdict) ? 'pass' : verdict;
  };
  const found = await turningPoint({
    seconds: seconds / step,
    verdict,
    mostSeconds: Math.round(most / step),
    verdictAt,
  });
  return found && { ...found, seconds: inSeconds(found.seconds) };
}

/** So many seconds farther from the assumed value; at the upper bound nearer. */
function farther(at: number, from: number, later: number): number {
  if (at < from) return Math.max(at - later, 0);
  return at + later > mostSeconds ? at - later : at + later;
}

/**
 * If half of the rehearsals of an application fail, it is judged good once in 1024 times. Of 20 random applications
 * eleven were of this kind: a request that is cut is not always seen.
 */
export const rehearsalsOfCertainty = 10;

/**
 * The verdict of that many rehearsals after the one that is asked for, 0 being that one: another second, or another
 * seed.
 */
type VerdictOf = (later: number) => Promise<Verdict>;

interface CertainVerdict {
  readonly verdict: Verdict;
  /** This rehearsal does not fail, but one that differs little does. */
  readonly byChance?: true;
}

/**
 * For an assumed value that fails: a value that passes once may have passed by chance. It counts only if rehearsals
 * that differ little pass too.
 */
async function certainVerdict(assumed: Verdict, verdictOf: VerdictOf): Promise<CertainVerdict> {
  const verdict = await verdictOf(0);
  if (!fails(assumed) || fails(verdict)) return { verdict };
  for (let later = 1; later < rehearsalsOfCertainty; later += 1) {
    const other = await verdictOf(later);
    if (fails(other)) return { verdict: other, byChance: true };
  }
  return { verdict };
}
