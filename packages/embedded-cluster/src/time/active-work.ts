import type { Entry } from './clock-entry.ts';

/** The resources of every virtual clock in this process: the safety net must not take them for unheld work. */
export const ownResources = { immediates: 0, alarms: 0, held: new Set<Entry>() };

/** Handles that stay open for as long as the process, or a thread of it, lives: they are no sign of work. */
const idleHandles = new Set([
  'TTYWrap',
  'PipeWrap',
  'TCPServerWrap',
  'TCPSocketWrap',
  'SignalWrap',
  'FSEventWrap',
  'MessagePort',
]);

/**
 * The kinds of real work that are active in this process (`process.getActiveResourcesInfo`), without those of the
 * clocks.
 */
export function activeWork(): readonly string[] {
  let { immediates, alarms } = ownResources;
  return process.getActiveResourcesInfo().filter((name) => {
    if (name === 'Immediate') return immediates-- <= 0;
    return name === 'Timeout' ? alarms-- <= 0 : !idleHandles.has(name);
  });
}

/** Output that its reader has not taken yet, such as that of a test's reporter: it is waited for, and no defect. */
export const isOutput = (name: string): boolean => name === 'SimpleWriteWrap';
