import type { Host, Signal } from '../../host/host.ts';

/** The host for a run, and the signal that came after the run had ended. */
export interface HeldSignals {
  readonly host: Host;
  /** The first signal that came after the run had ended; undefined if none did. */
  readonly held: () => Signal | undefined;
}

/**
 * Runs the work of one run and its reports. A signal that comes after the run has stopped listening does not end the
 * process: the run was not stopped by it, and its reports are still to be written.
 */
export async function holdSignals<T>(real: Host, work: (signals: HeldSignals) => Promise<T>): Promise<T> {
  let first: Signal | undefined;
  const releases: (() => void)[] = [];
  const onSignal: Host['onSignal'] = (names, listener) => {
    const forget = real.onSignal(names, listener);
    return () => {
      // Before the run's own listener is removed: between the two a signal would end the process.
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
