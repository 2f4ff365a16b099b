import type { Host } from '../host/host.ts';
import { jsonNotifier } from './json-notifier.ts';
import type { Notifier } from './notifier.ts';
import type { Secret } from './secret.ts';

/**
 * Section 4 of the specification: a POST of a JSON object with the one string field `text`; the response is not used.
 */
export function slackNotifier(host: Pick<Host, 'http' | 'clock'>, url: Secret): Notifier {
  return jsonNotifier(host, { channel: 'slack', what: 'the chat webhook', url }, ({ text }) => ({
    text: slackText(text),
  }));
}

/** Slack splits a longer text. */
const maximumLength = 3900;

/**
 * Text that Slack shows unchanged: the three characters of mentions and links are escaped, as its formatting reference
 * requires, and no others.
 */
export function slackText(text: string): string {
  const whole = text.length > maximumLength ? `${text.slice(0, maximumLength)}…` : text;
  return whole.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');
}
