import type { Finding } from '../finding.ts';
import type { RunResult } from './run-result.ts';

/** Outages for which the vantage points do not agree decide by the rule, and are told. */
export function seenBySome(outages: RunResult['outages']): readonly Finding[] {
  return outages
    .filter(({ notSeenBy = [], blind = [] }) => notSeenBy.length + blind.length > 0)
    .map(({ from, seconds, seenBy = [], notSeenBy = [], blind = [] }) => ({
      id: 'vantage-points',
      severity: 'info',
      subject: 'downtime log',
      expected: 'every vantage point sees the same',
      observed: [
        `${seconds} s from ${from} for ${seenBy.join(', ')}`,
        ...(notSeenBy.length === 0 ? [] : [`not for ${notSeenBy.join(', ')}`]),
        ...(blind.length === 0 ? [] : [`no sample from ${blind.join(', ')}`]),
      ].join('; '),
      advice: 'see what is on the way of those alone: their network, their resolver, the zone of the load balancer',
    }));
}
