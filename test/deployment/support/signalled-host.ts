import type { Host, Signal } from '../../../src/host/host.ts';
import { quietHost } from './quiet-host.ts';

/** A host to which a signal comes at one moment of the run: before or after one of its calls, reading included. */
export interface SignalledHost {
  readonly host: Host;
  /** How many moments there were. */
  readonly moments: () => number;
  /** Whether somebody listened when the signal came. */
  readonly delivered: () => boolean;
}

/** `onDelivery` is called when the signal comes. */
export function signalledHost(
  comesAt = Number.POSITIVE_INFINITY,
  signal: Signal = 'SIGTERM',
  onDelivery: () => void = () => {},
): SignalledHost {
  const real = quietHost();
  const listeners = new Set<(signal: Signal) => void>();
  let moments = 0;
  let delivered = false;
  const moment = (): void => {
    if (moments++ !== comesAt) return;
    delivered = listeners.size > 0;
    onDelivery();
    for (const listener of listeners) listener(signal);
  };
  const counted =
    <A extends readonly unknown[], R>(call: (...words: A) => Promise<R>) =>
    async (...words: A): Promise<R> => {
      moment();
      const result = await call(...words);
      moment();
      return result;
    };
  const host: Host = {
    ...real,
    http: counted(real.http),
    exchange: counted(real.exchange),
    run: counted(real.run),
    files: Object.fromEntries(
      Object.entries(real.files).map(([name, call]) => [name, counted(call as () => Promise<unknown>)]),
    ) as unknown as Host['files'],
    onSignal: (_names, listener) => {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
  };
  return { host, moments: () => moments, delivered: () => delivered };
}
