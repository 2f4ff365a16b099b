import type { Target } from '../../host/host.ts';
import type { LogHeader } from '../downtime-log/downtime-log.ts';
import { optionNames } from './option-names.ts';

/** What a monitor does, of which its log tells the names alone. */
interface Told extends Omit<LogHeader, 'targets' | 'options' | 'control'> {
  readonly targets: readonly Target[];
  readonly control?: Target;
}

/** The first line of the log says by which settings it was made. */
export function headerOf({ targets, control, ...rest }: Told): LogHeader {
  const urls = targets.map(({ url }) => url);
  const options = Object.fromEntries(targets.map((target) => [target.url, optionNames(target)]));
  return { ...rest, targets: urls, options, ...(control === undefined ? {} : { control: control.url }) };
}
