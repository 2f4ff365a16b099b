import type { Host, Signal } from '../../host/host.ts';

/** What a run is given, and what came when it listened no more. */
export interface HeldSignals {
  readonly host: Host;
  /** The first signal that came after the run had ended; undefined where none did. */
  readonly held: () => Signal | undefined;
}

/**
 * The work of one run and of its reports. A signal that comes when the run itself listens no more is held until the work is done: what has
 * ended was not stopped by it (contract section 2), and is still to be told.
 */
export async function holdSignals<T>(real: Host, work: (signals: HeldSignals) => Promise<T>): Promise<T> {
  let first: Signal | undefined;
  const releases: (() => void)[] = [];
  const onSignal: Host['onSignal'] = (names, listener) => {
    const forget = real.onSignal(names, listener);
    return () => {
      // Before the run's own listener goes: between the two a signal would end the process.
      releases.push(
        real.onSignal(names, (name) => {
          first ??= name;
        }),
      );
      forget();
    };
  };
  try {
    return await work({ host: { ...real, onSignal }, held: () => first });
  } finally {
    for (const release of releases) release();
  }
}
