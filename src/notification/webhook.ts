import type { Host } from '../host/host.ts';
import type { Notifier } from './notifier.ts';
import { postJson } from './post-json.ts';
import type { Secret } from './secret.ts';

/** POSTs the whole JSON document to a webhook. */
export function webhookNotifier(host: Pick<Host, 'http' | 'clock'>, url: Secret): Notifier {
  return { channel: 'webhook', send: ({ document }) => postJson(host, 'the webhook', url.reveal(), document) };
}
