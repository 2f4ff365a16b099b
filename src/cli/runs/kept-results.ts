import type { OnProbe } from '../../validation/monitor/monitor-settings.ts';

/** What came of the probes on kept connections, which are no part of the downtime. */
export interface KeptResults {
  readonly listener: OnProbe;
  /** One line; empty where there was no such probe. */
  readonly text: () => string;
}

export function keptResults(): KeptResults {
  const kinds = new Map<string, number>();
  let all = 0;
  return {
    listener: ({ connection }, _target, kind) => {
      if (connection !== 'reused') return;
      all += 1;
      if (kind !== undefined) kinds.set(kind, (kinds.get(kind) ?? 0) + 1);
    },
    text: () => {
      const bad = [...kinds.values()].reduce((sum, count) => sum + count, 0);
      const counts = [...kinds].map(([kind, count]) => `${count} ${kind}`).join(', ');
      const failed = bad === 0 ? `none of ${all} requests failed` : `${bad} of ${all} requests failed (${counts})`;
      return all === 0 ? '' : `On kept connections ${failed}; they count for nothing else.\n`;
    },
  };
}
