import { UsageError } from '../../host/errors.ts';
import { notify as send } from '../../notification/notifier.ts';
import { type ChannelKey, channelKeys, channels, notifiersFor, secretsOf } from '../../notification/notifiers.ts';
import { createRedactor } from '../../notification/redactor.ts';
import type { Perform } from '../command/command.ts';
import { readPlace } from '../settings/read-deployment.ts';

/** `notify --test`: sends one message through each notifier; exit 1 if one failed. */
export const notify: Perform = async (context, given) => {
  if (given.options.test !== true)
    throw new UsageError(['--test is missing: notify sends nothing but a test message.']);
  const settings = await readPlace(context, given);
  const notifiers = notifiersFor(context.host, settings);
  if (notifiers.length === 0) {
    throw new UsageError([`no notifier is set: set at least one of ${channelKeys.map(wayOf).join(', ')}.`]);
  }
  const text = `This is a test of holdfast for ${settings.appDir}: nothing was deployed`;
  const results = await send(notifiers, { text, details: [], document: { schemaVersion: 1, test: true } });
  const { redact } = createRedactor(secretsOf(settings));
  const { host, flags } = context;
  const lines = results.map(({ channel, ok, error }) => `${channel}: ${ok ? 'sent' : error}\n`).join('');
  host.out.write(redact(flags.json ? `${JSON.stringify({ schemaVersion: 1, notifications: results })}\n` : lines));
  return results.every(({ ok }) => ok) ? 0 : 1;
};

/** The setting that switches a channel on, and the environment variables that do the same. */
function wayOf(key: ChannelKey): string {
  const variables = Object.keys(channels[key].variables);
  return `deployment.${key}${variables.length === 0 ? '' : ` (or ${variables.join(', ')})`}`;
}
