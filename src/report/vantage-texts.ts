import type { VantageRule } from '../validation/downtime/vantage-rule.ts';
import type { SeenBy } from '../validation/downtime/vantages.ts';
import type { RunResult } from '../validation/judge/run-result.ts';

/** When an application that several probers watch counts as down. */
export const ruleTexts: Readonly<Record<VantageRule, string>> = {
  any: 'down for any of them counts',
  all: 'down for all of them counts',
  most: 'down for more than half of them counts',
};

/** `2 vantage points (dublin, oregon): down for any of them counts.`; nothing where one prober watched. */
export function vantageSentences({ vantages, rule }: Pick<RunResult, 'vantages' | 'rule'>): readonly string[] {
  if (vantages === undefined || rule === undefined) return [];
  return [`${vantages.length} vantage points (${vantages.map(({ name }) => name).join(', ')}): ${ruleTexts[rule]}.`];
}

/** For whom it was down, for whom it was not, and who could not say; nothing where one prober watched. */
export function seenTexts({ seenBy, notSeenBy = [], blind = [] }: Partial<SeenBy>): readonly string[] {
  if (seenBy === undefined) return [];
  if (notSeenBy.length === 0 && blind.length === 0) return ['down for all'];
  return [
    `down for ${seenBy.join(', ')}`,
    ...(notSeenBy.length === 0 ? [] : [`not for ${notSeenBy.join(', ')}`]),
    ...(blind.length === 0 ? [] : [`no sample from ${blind.join(', ')}`]),
  ];
}
