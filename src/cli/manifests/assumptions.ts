import type { OwnBehaviour } from '../../rehearsal/machines/own-behaviours.ts';
import type { Verdict } from '../../validation/judge/run-result.ts';
import type { RehearsedApplication } from '../../validation/record/application-rehearsed.ts';
import type { Assumption } from '../../validation/record/events.ts';
import type { Settings } from '../../validation/settings.ts';
import { certainVerdict } from './certain-verdict.ts';
import { ownBehaviours, ownKey } from './own-behaviours.ts';
import { remembered, turningPoint } from './turning-point.ts';

/** Ten minutes: longer than what a rehearsal waits for anything but a new node. */
export const mostSeconds = 600;

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
}

/**
 * What the manifests do not say of the application, each with its value and where the verdict of the whole rehearsal turns if that value
 * alone is another. Of several applications, and of one with settings of its own, only its own pods are changed.
 */
export async function* judgedAssumptions(
  { application, named, isOnly, settings, verdict }: Asked,
  verdictWith: (settings: Settings, laterSeed: number) => Promise<Verdict>,
  print: (text: string) => void,
): AsyncGenerator<Assumption> {
  const known = ownKey(settings, application);
  const key = known ?? (isOnly ? undefined : named);
  const { every, byWorkload } = ownBehaviours(settings);
  const behaviour = byWorkload[known ?? ''] ?? every;
  const settingOf = (name: string) => `rehearse.${key === undefined ? 'application' : `applications.${key}`}.${name}`;
  const verdictIf = (changed: Partial<OwnBehaviour>, laterSeed: number) => {
    const own = { ...behaviour, ...changed };
    const { applications } = settings.rehearse ?? {};
    const rehearse = key === undefined ? { application: own } : { applications: { ...applications, [key]: own } };
    return verdictWith(
      {
        ...settings,
        rehearse: { ingress: 'mended' as const, interruptionQueue: false, ...settings.rehearse, ...rehearse },
      },
      laterSeed,
    );
  };
  for (const name of times) {
    const [setting, seconds] = [settingOf(name), behaviour[name]];
    print(`assumption ${setting} ${seconds} s: further rehearsals find where the verdict turns`);
    const found = await certainTurn({ seconds, verdict }, (at) => verdictIf({ [name]: at }, 0));
    yield { name, application: named, value: seconds, setting, ...found };
  }
  for (const name of answers) {
    const [setting, value] = [settingOf(name), behaviour[name]];
    print(`assumption ${setting} ${value ? 'yes' : 'no'}: one more rehearsal says whether the verdict turns`);
    const { verdict: other } = await certainVerdict(verdict, (later) => verdictIf({ [name]: !value }, later));
    const turnsAt = other === verdict ? null : { value: !value, verdict: other };
    yield { name, application: named, value, setting, turnsAt };
  }
}

/** Rehearsals of one value are alike with all seeds, because what cuts a request is where the value puts it: the dice are the seconds beyond it. */
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

/** So many seconds farther from the assumed value; at the upper bound nearer. */
function farther(at: number, from: number, later: number): number {
  if (at < from) return Math.max(at - later, 0);
  return at + later > mostSeconds ? at - later : at + later;
}
