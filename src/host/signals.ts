import type { Host, Signal } from './host.ts';

/** Calls the listener instead of the default action; the returned function restores the default. */
export const onSignal: Host['onSignal'] = (names, listener) => {
  const onSignal = (name: NodeJS.Signals) => listener(name as Signal);
  for (const name of names) process.on(name, onSignal);
  return () => {
    for (const name of names) process.off(name, onSignal);
  };
};
