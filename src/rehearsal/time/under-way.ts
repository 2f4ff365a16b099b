import type { Entry } from './clock-entry.ts';

/** Ours of every clock in this process, which the safety net must not take for somebody's work. */
export const ours = { hops: 0, alarms: 0, held: new Set<Entry>() };

/** Handles that wait for the outside for ever, and mean no work under way. */
const idleHandles = new Set(['TTYWrap', 'PipeWrap', 'TCPServerWrap', 'TCPSocketWrap', 'SignalWrap', 'FSEventWrap']);

/** The kinds of real work under way in this process that are no clock's own. */
export function underWay(): readonly string[] {
  let { hops, alarms } = ours;
  return process.getActiveResourcesInfo().filter((name) => {
    if (name === 'Immediate') return hops-- <= 0;
    return name === 'Timeout' ? alarms-- <= 0 : !idleHandles.has(name);
  });
}
