import { OperationError } from '../host/errors.ts';

/** What is told. */
export interface Message {
  /** One line for a chat. */
  readonly text: string;
  /** More lines for a mail. */
  readonly details: readonly string[];
  /** What a program would want to know: the deploy's or the report's JSON document. */
  readonly document: unknown;
}

/** One way to tell it. */
export interface Notifier {
  readonly channel: string;
  /** Rejects with an `OperationError` when it could not be told within the limit. */
  readonly send: (message: Message) => Promise<void>;
}

/** How telling it ended. */
export interface Notification {
  readonly channel: string;
  readonly ok: boolean;
  readonly error?: string;
}

/** Tells it through every channel at once. A channel that fails changes nothing but its own line. */
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

/** For one channel, all attempts together: nobody should wait longer for a message than for a deploy. */
export const totalSeconds = 20;
