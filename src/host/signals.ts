import type { Host, Signal } from './host.ts';

/** Calls the listener instead of the default action; the returned function gives the default back. */
export const onSignal: Host['onSignal'] = (names, listener) => {
  const heard = (name: NodeJS.Signals) => listener(name as Signal);
  for (const name of names) process.on(name, heard);
  return () => {
    for (const name of names) process.off(name, heard);
  };
};
