import type { Host } from '../host/host.ts';
import { discordNotifier } from './discord.ts';
import { type MailSettings, mailNotifier } from './mail.ts';
import type { Notifier } from './notifier.ts';
import type { Secret } from './secret.ts';
import { slackNotifier } from './slack.ts';
import { teamsNotifier } from './teams.ts';
import { webhookNotifier } from './webhook.ts';

type NotifierHost = Pick<Host, 'http' | 'clock' | 'run'>;
type Environment = Readonly<Record<string, string>>;

/**
 * What a channel may be set to: the address of a webhook, or all that mail needs. The schema of the settings has a
 * reader for each.
 */
export interface ChannelSettings {
  readonly webhook: Secret;
  readonly mail: MailSettings;
}

/** One way to send a message, and how it is set. */
interface Channel<Kind extends keyof ChannelSettings> {
  readonly kind: Kind;
  /**
   * The environment variables that set it (section 2.4 of the specification), each with the path of its value below the
   * channel's key.
   */
  readonly variables: Readonly<Record<string, readonly string[]>>;
  readonly make: (host: NotifierHost, setting: ChannelSettings[Kind], environment: Environment) => Notifier;
  readonly secretIn: (setting: ChannelSettings[Kind]) => Secret | undefined;
}

/**
 * Every channel under the key of its setting, in the order in which results are listed. A new channel is a line here
 * and a file with its notifier: settings, variables and secrets follow from this table.
 */
const table = {
  slackWebhookUrl: webhook(slackNotifier, 'SLACK_WEBHOOK_URL'),
  mail: {
    kind: 'mail',
    variables: { TO_EMAIL: ['to'], FROM_EMAIL: ['from'], MAIL_SUBJECT: ['subject'] },
    make: mailNotifier,
    secretIn: ({ transport }: MailSettings) => (transport === 'sendmail' ? undefined : transport),
  },
  webhookUrl: webhook(webhookNotifier),
  teamsWebhookUrl: webhook(teamsNotifier),
  discordWebhookUrl: webhook(discordNotifier),
} as const;

function webhook(make: (host: NotifierHost, url: Secret) => Notifier, variable?: string): Channel<'webhook'> {
  const variables = variable === undefined ? {} : { [variable]: [] };
  return { kind: 'webhook', variables, make, secretIn: (url) => url };
}

export type ChannelKey = keyof typeof table;
/** Which kind of setting each channel has. */
export type ChannelKinds = { readonly [Key in ChannelKey]: (typeof table)[Key]['kind'] };

export const channels: { readonly [Key in ChannelKey]: Channel<ChannelKinds[Key]> } = table;
export const channelKeys = Object.keys(channels) as readonly ChannelKey[];

/** What each channel is set to; one that is absent is not used. */
export type ChannelsSet = { readonly [Key in ChannelKey]?: ChannelSettings[ChannelKinds[Key]] };

export interface NotificationSettings extends ChannelsSet {
  /** The environment of a mail command. */
  readonly environment: Environment;
}

/** One notifier for each channel that is set. */
export function notifiersFor(host: NotifierHost, settings: NotificationSettings): readonly Notifier[] {
  return channelKeys.flatMap((key) => notifierOf(key, host, settings));
}

function notifierOf<Key extends ChannelKey>(key: Key, host: NotifierHost, settings: NotificationSettings) {
  const setting: ChannelsSet[Key] = settings[key];
  return setting === undefined ? [] : [channels[key].make(host, setting, settings.environment)];
}

/** The secrets in the settings of all channels: they must never be printed. */
export function secretsOf(settings: ChannelsSet): readonly Secret[] {
  return channelKeys.map((key) => secretOf(key, settings)).filter((secret) => secret !== undefined);
}

function secretOf<Key extends ChannelKey>(key: Key, settings: ChannelsSet): Secret | undefined {
  const setting: ChannelsSet[Key] = settings[key];
  return setting === undefined ? undefined : channels[key].secretIn(setting);
}
