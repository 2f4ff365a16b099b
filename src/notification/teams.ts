import type { Host } from '../host/host.ts';
import { jsonNotifier } from './json-notifier.ts';
import type { Detail, Notifier } from './notifier.ts';
import type { Secret } from './secret.ts';

/**
 * A message to a webhook of Teams, of a workflow ("when a webhook request is received") or an incoming one: both take a
 * message with an Adaptive Card.
 */
export function teamsNotifier(host: Pick<Host, 'http' | 'clock'>, url: Secret): Notifier {
  return jsonNotifier(host, { channel: 'teams', what: 'the Teams webhook', url }, ({ text, details }) =>
    teamsMessage(text, details),
  );
}

/** Teams refuses a message of more than 28 KB. */
const maximumLength = 4000;

/** The details become the card's facts. Version 1.4 is the newest that every client of Teams shows. */
export function teamsMessage(text: string, details: readonly Detail[]): object {
  const card = {
    $schema: 'http://adaptivecards.io/schemas/adaptive-card.json',
    type: 'AdaptiveCard',
    version: '1.4',
    msteams: { width: 'Full' },
    body: [
      { type: 'TextBlock', text: plainIn(text), wrap: true, weight: 'Bolder' },
      { type: 'FactSet', facts: details.map(fact) },
    ],
  };
  return {
    type: 'message',
    attachments: [{ contentType: 'application/vnd.microsoft.card.adaptive', contentUrl: null, content: card }],
  };
}

const fact = ({ name, value }: Detail) => ({ title: plainIn(name), value: plainIn(value) });

/**
 * A text of a card is Markdown: its characters are escaped, so that a branch's name makes neither a link nor a mention.
 */
function plainIn(text: string): string {
  const escaped = text.replaceAll(/[\\*_[\]()`]/g, '\\$&').replaceAll('<', '&lt;');
  return escaped.length > maximumLength ? `${escaped.slice(0, maximumLength)}…` : escaped;
}
