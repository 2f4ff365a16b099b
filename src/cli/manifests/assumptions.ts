import type { Verdict } from '../../validation/judge/run-result.ts';
import type { Assumption } from '../../validation/record/events.ts';
import type { Settings } from '../../validation/settings.ts';
import { ownBehaviour } from './start-own.ts';
import { turningPoint } from './turning-point.ts';

/** Ten minutes: longer than what a rehearsal waits for anything but a new node. */
export const mostSeconds = 600;

const names = ['start', 'stop', 'pull'] as const;

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
  for (const name of names) {
    const setting = `rehearse.application.${name}`;
    print(`assumption ${setting} ${behaviour[name]} s: further rehearsals find where the verdict turns`);
    const verdictAt = (seconds: number) => {
      const changed = {
        ingress: 'mended' as const,
        ...settings.rehearse,
        application: { ...behaviour, [name]: seconds },
      };
      return verdictWith({ ...settings, rehearse: changed });
    };
    const turnsAt = await turningPoint({ seconds: behaviour[name], verdict, mostSeconds, verdictAt });
    yield { name, application, value: behaviour[name], setting, turnsAt };
  }
}
