import { OperationError } from '../host/errors.ts';

/** A message for people, in the forms that channels need. */
export interface Message {
  /** One line, for a chat. */
  readonly text: string;
  /** What more there is to know, each by its name: lines of a mail, facts of a card. */
  readonly details: readonly Detail[];
  /** For programs: the JSON document of the deploy. */
  readonly document: unknown;
}

export interface Detail {
  readonly name: string;
  readonly value: string;
}

/** One channel for messages. */
export interface Notifier {
  readonly channel: string;
  /** Rejects with an `OperationError` if the message could not be sent within the limit. */
  readonly send: (message: Message) => Promise<void>;
  /** Rejects with an `OperationError` where no message could be sent from here. Sends none. */
  readonly reach: () => Promise<void>;
}

/** The outcome of one channel. */
export interface Notification {
  readonly channel: string;
  readonly ok: boolean;
  readonly error?: string;
}

/** Sends the message through every channel at once. A failed channel affects only its own result. */
export function notify(notifiers: readonly Notifier[], message: Message): Promise<readonly Notification[]> {
  return Promise.all(
    notifiers.map(async ({ channel, send }) => {
      try {
        await send(message);
        return { channel, ok: true };
      } catch (error) {
        if (!(error instanceof OperationError)) throw error;
        return { channel, ok: false, error: error.message };
      }
    }),
  );
}

/** The limit of one channel, all attempts together: a message must not take longer than a deploy. */
export const totalSeconds = 20;
