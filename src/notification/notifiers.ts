import type { Host } from '../host/host.ts';
import { type MailSettings, mailNotifier } from './mail.ts';
import type { Notifier } from './notifier.ts';
import type { Secret } from './secret.ts';
import { slackNotifier } from './slack.ts';
import { webhookNotifier } from './webhook.ts';

/** Whom to tell. */
export interface NotificationSettings {
  readonly slackWebhookUrl?: Secret;
  readonly webhookUrl?: Secret;
  readonly mail?: MailSettings;
  /** What a mail command sees of our environment. */
  readonly environment: Readonly<Record<string, string>>;
}

/** One notifier for each channel that is set. */
export function notifiersFor(
  host: Pick<Host, 'http' | 'clock' | 'run'>,
  settings: NotificationSettings,
): readonly Notifier[] {
  const { slackWebhookUrl, webhookUrl, mail, environment } = settings;
  return [
    ...(slackWebhookUrl === undefined ? [] : [slackNotifier(host, slackWebhookUrl)]),
    ...(mail === undefined ? [] : [mailNotifier(host, mail, environment)]),
    ...(webhookUrl === undefined ? [] : [webhookNotifier(host, webhookUrl)]),
  ];
}

/** All that must never be printed. */
export function secretsOf({
  slackWebhookUrl,
  webhookUrl,
  mail,
}: Omit<NotificationSettings, 'environment'>): readonly Secret[] {
  const transport = mail?.transport === 'sendmail' ? undefined : mail?.transport;
  return [slackWebhookUrl, webhookUrl, transport].filter((secret) => secret !== undefined);
}
