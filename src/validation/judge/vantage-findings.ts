import { boundedText } from '../../figures/figures.js';
import type { Finding } from '../finding.ts';
import type { LogView } from './log-view.ts';

/**
 * Outages after the application was verified on which the vantage points disagree. The rule decides whether each
 * counts; all of them are reported.
 */
export function seenBySome(
  { episodes, dismissed = [], rule }: Pick<LogView, 'episodes' | 'dismissed' | 'rule'>,
  verifiedAt: number,
): readonly Finding[] {
  const all = [
    ...episodes.map((outage) => ({ ...outage, decides: [] })),
    ...dismissed.map((outage) => ({ ...outage, decides: [`no downtime by the rule ${rule}`] })),
  ];
  return all
    .filter(
      ({ from, notSeenBy = [], blind = [] }) => Date.parse(from) >= verifiedAt && notSeenBy.length + blind.length > 0,
    )
    .map(({ from, spanSeconds, lowerSeconds, upperSeconds, seenBy = [], notSeenBy = [], blind = [], decides }) => ({
      id: 'vantage-points',
      severity: 'warning',
      subject: 'downtime log',
      expected: 'every vantage point sees the same',
      observed: [
        `${boundedText({ seconds: spanSeconds, lowerSeconds, upperSeconds })} from ${from} for ${seenBy.join(', ')}`,
        ...(notSeenBy.length === 0 ? [] : [`not for ${notSeenBy.join(', ')}`]),
        ...(blind.length === 0 ? [] : [`no sample from ${blind.join(', ')}`]),
        ...decides,
      ].join('; '),
      advice: 'see what is on the way of those alone: their network, their resolver, the zone of the load balancer',
    }));
}

/**
 * A monitor elsewhere may reach the application by another address, or may watch something else; only a person can
 * know. A curl loop's log names no address.
 */
export function otherTarget({ target }: LogView, url: string): readonly Finding[] {
  if (!target || hrefOf(target) === hrefOf(url)) return [];
  return [
    {
      id: 'log-target',
      severity: 'warning',
      subject: 'downtime log',
      expected: `it is of ${url}`,
      observed: `the first address that its monitor watches is ${target}`,
      advice: 'nothing is wrong if that leads to the application too; else run again with the log of a monitor of it',
    },
  ];
}

const hrefOf = (url: string): string => URL.parse(url)?.href ?? url;
