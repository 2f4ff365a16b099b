import type { Host } from '../host/host.ts';
import { jsonNotifier } from './json-notifier.ts';
import type { Notifier } from './notifier.ts';
import type { Secret } from './secret.ts';

/** POSTs the whole JSON document to a webhook. */
export function webhookNotifier(host: Pick<Host, 'http' | 'clock'>, url: Secret): Notifier {
  return jsonNotifier(host, { channel: 'webhook', what: 'the webhook', url }, ({ document }) => document);
}
