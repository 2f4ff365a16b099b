import { OperationError, UsageError } from '../host/errors.ts';
import type { Clock } from '../host/host.ts';

/** What a page is notified of each time the files were read. */
export interface Looks {
  /** The events since the look before; undefined if there is nothing new. */
  readonly next: () => Promise<string | undefined>;
  /** Whether nothing new can come any more. */
  readonly isOver: () => boolean;
}

/** Server-sent events (HTML standard, 9.2) of a look each second, until it is over or the page is gone. */
export async function* serverEvents(clock: Clock, looks: Looks, gone: AbortSignal): AsyncGenerator<string> {
  for (let count = 0; !gone.aborted; count += 1) {
    const next = await looks.next().catch(trouble);
    if (next !== undefined) yield next;
    else if (count % looksBetweenComments === 0) yield ': still here\n\n';
    if (looks.isOver()) return;
    await clock.sleep(lookEverySeconds, gone).catch(() => undefined);
  }
}

/** As often as the monitor writes a line by default. */
const lookEverySeconds = 1;
/** A comment every 15 s keeps the connection open (HTML standard, 9.2.7). */
const looksBetweenComments = 15;

/** JSON has no line breaks, so it is one line of data. */
export const event = (name: string, data: object): string => `event: ${name}\ndata: ${JSON.stringify(data)}\n\n`;

/**
 * The page waits after an error, because a folder that cannot be read, or a log of another version, may be repaired.
 */
function trouble(error: unknown): string {
  if (error instanceof OperationError || error instanceof UsageError)
    return event('waiting', { because: error.message });
  throw error;
}

/** The members of an object that differ from those that were sent before. */
export function changedMembers<T extends object>(): (all: T) => Partial<T> {
  const sent = new Map<string, { readonly value: unknown; readonly text: string }>();
  return (all) =>
    Object.fromEntries(
      Object.entries(all).filter(([member, value]) => {
        const before = sent.get(member);
        if (before?.value === value) return false;
        const text = JSON.stringify(value);
        sent.set(member, { value, text });
        return before?.text !== text;
      }),
    ) as Partial<T>;
}
