import type { OwnBehaviour } from '../../rehearsal/setup/own-application.ts';
import type { Verdict } from '../../validation/judge/run-result.ts';
import type { Assumption } from '../../validation/record/events.ts';
import type { Settings } from '../../validation/settings.ts';
import { ownBehaviour } from './start-own.ts';
import { turningPoint } from './turning-point.ts';

/** Ten minutes: longer than what a rehearsal waits for anything but a new node. */
export const mostSeconds = 600;

const times = ['start', 'stop', 'pull'] as const;
const answers = ['sigterm', 'answers'] as const;

export interface Asked {
  /** `KIND/NAME`. */
  readonly application: string;
  readonly settings: Settings;
  readonly verdict: Verdict;
}

/**
 * What the manifests do not say of the application, each with its value and where the verdict of the whole rehearsal turns if that value
 * alone is another.
 */
export async function* judgedAssumptions(
  { application, settings, verdict }: Asked,
  verdictWith: (settings: Settings) => Promise<Verdict>,
  print: (text: string) => void,
): AsyncGenerator<Assumption> {
  const behaviour = ownBehaviour(settings);
  const settingOf = (name: string) => `rehearse.application.${name}`;
  const verdictIf = (changed: Partial<OwnBehaviour>) => {
    const application = { ...behaviour, ...changed };
    return verdictWith({ ...settings, rehearse: { ingress: 'mended' as const, ...settings.rehearse, application } });
  };
  for (const name of times) {
    const [setting, seconds] = [settingOf(name), behaviour[name]];
    print(`assumption ${setting} ${seconds} s: further rehearsals find where the verdict turns`);
    const verdictAt = (at: number) => verdictIf({ [name]: at });
    const turnsAt = await turningPoint({ seconds, verdict, mostSeconds, verdictAt });
    yield { name, application, value: seconds, setting, turnsAt };
  }
  for (const name of answers) {
    const [setting, value] = [settingOf(name), behaviour[name]];
    print(`assumption ${setting} ${value ? 'yes' : 'no'}: one more rehearsal says whether the verdict turns`);
    const other = await verdictIf({ [name]: !value });
    yield { name, application, value, setting, turnsAt: other === verdict ? null : { value: !value, verdict: other } };
  }
}
