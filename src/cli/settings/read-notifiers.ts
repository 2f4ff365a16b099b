import { monitorNotifiers } from '../../deployment/settings/schema.ts';
import { UsageError } from '../../host/errors.ts';
import type { Notifier } from '../../notification/notifier.ts';
import { notifiersFor, secretsOf } from '../../notification/notifiers.ts';
import { createRedactor } from '../../notification/redactor.ts';
import { readSettings } from '../../settings/read-settings.ts';
import type { Context } from '../command/context.ts';
import { readConfiguration } from './configuration.ts';

/** Who gets messages about outages, and after how many bad samples in a row: the key `monitor` of the settings file. */
export interface Alerting {
  readonly notifiers: readonly Notifier[];
  readonly alertAfter: number;
  /** Removes the secrets of the notifiers from a text. */
  readonly redact: (text: string) => string;
}

/** The settings file counts only where it has that key. `given` is --alert-after. */
export async function readNotifiers(context: Context, given: number | undefined): Promise<Alerting> {
  const { monitor, mistakes } = await readConfiguration(context);
  const isSet = Object.keys(monitor).length > 0;
  const read = readSettings(monitorNotifiers, monitor, 'monitor');
  const wrong = [...(isSet ? mistakes : []), ...('mistakes' in read ? read.mistakes : [])];
  if (wrong.length > 0 || 'mistakes' in read) throw new UsageError(wrong);
  const { notifiers: channels = {}, alertAfter } = read.settings;
  const environment = Object.fromEntries(
    Object.entries(context.environment).filter((entry): entry is [string, string] => entry[1] !== undefined),
  );
  const notifiers = notifiersFor(context.host, { ...channels, environment });
  if (given !== undefined && notifiers.length === 0)
    throw new UsageError([
      '--alert-after says when the notifiers are told, and none is set: set monitor.notifiers in holdfast.yaml.',
    ]);
  return { notifiers, alertAfter: given ?? alertAfter, redact: createRedactor(secretsOf(channels)).redact };
}
