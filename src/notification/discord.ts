import type { Host } from '../host/host.ts';
import { jsonNotifier } from './json-notifier.ts';
import type { Notifier } from './notifier.ts';
import type { Secret } from './secret.ts';

/** A message to a webhook of Discord: the field `content` (Discord's API, "Execute Webhook"). */
export function discordNotifier(host: Pick<Host, 'http' | 'clock'>, url: Secret): Notifier {
  return jsonNotifier(host, { channel: 'discord', what: 'the Discord webhook', url }, ({ text }) =>
    discordMessage(text),
  );
}

/** Discord refuses a longer content with 400. */
const maximumLength = 2000;

/**
 * Text that Discord shows unchanged and that mentions nobody: the characters of Markdown are escaped, and `parse`
 * allows no mention.
 */
export function discordMessage(text: string): object {
  const escaped = text.replaceAll(/[\\*_~`|>#[\]<]/g, '\\$&');
  const content = escaped.length > maximumLength ? `${escaped.slice(0, maximumLength - 1)}…` : escaped;
  return { content, allowed_mentions: { parse: [] } };
}
