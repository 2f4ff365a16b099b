import type { Target } from '../../host/host.ts';
import type { LogHeader } from '../downtime-log/downtime-log.ts';
import type { OwnSettings } from '../downtime-log/own-settings.ts';
import { optionNames } from './option-names.ts';

/** What a monitor does, of which its log tells the names alone. */
interface Told extends Omit<LogHeader, 'targets' | 'options' | 'control' | 'own'> {
  readonly targets: readonly Target[];
  readonly own?: Readonly<Record<string, OwnSettings & { readonly timeoutSeconds?: number }>>;
  readonly control?: Target;
}

/** The first line of the log says by which settings it was made. Its timeout is the longest: within it readers sort the lines. */
export function headerOf({ targets, control, own, ...rest }: Told): LogHeader {
  const urls = targets.map(({ url }) => url);
  const options = Object.fromEntries(targets.map((target) => [target.url, optionNames(target)]));
  const timeouts = Object.values(own ?? {}).map(({ timeoutSeconds = 0 }) => timeoutSeconds);
  return {
    ...rest,
    timeoutSeconds: Math.max(rest.timeoutSeconds, ...timeouts),
    targets: urls,
    options,
    ...(own === undefined ? {} : { own }),
    ...(control === undefined ? {} : { control: control.url }),
  };
}
