import { OperationError } from '../host/errors.ts';
import type { Host } from '../host/host.ts';
import type { Message, Notifier } from './notifier.ts';
import { postJson } from './post-json.ts';
import type { Secret } from './secret.ts';

/** A channel that takes JSON at an address; `what` names the address in errors, because it may be a secret. */
interface Webhook {
  readonly channel: string;
  readonly what: string;
  readonly url: Secret;
}

/** POSTs what `bodyOf` makes of a message. */
export function jsonNotifier(
  host: Pick<Host, 'http' | 'clock'>,
  { channel, what, url }: Webhook,
  bodyOf: (message: Message) => unknown,
): Notifier {
  return {
    channel,
    send: (message) => postJson(host, what, url.reveal(), bodyOf(message)),
    reach: () => reachServer(host, what, new URL(url.reveal()).origin),
  };
}

/** The timeout of one attempt of a message. */
const answerSeconds = 5;

/** Only a message shows whether the address is right: its server is asked for another one, and any answer will do. */
async function reachServer(host: Pick<Host, 'http'>, what: string, origin: string): Promise<void> {
  try {
    (await host.http({ method: 'HEAD', url: `${origin}/`, timeoutSeconds: answerSeconds })).discard();
  } catch (error) {
    if (!(error instanceof OperationError)) throw error;
    throw new OperationError({ tried: 'Reaching the server of', on: what, reason: error.failure.reason });
  }
}
