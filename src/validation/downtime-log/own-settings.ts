import { formatDuration, parseDuration } from '../../settings/duration.ts';
import { type ExpectedStatuses, readExpected } from '../../settings/expected-status.ts';

/** The settings of one target of a log that replace those of all targets. */
export interface OwnSettings {
  readonly slowSeconds?: number;
  readonly expect?: ExpectedStatuses;
}

/** The words of the header behind the target that they are of. */
export const ownWords = ({ expect, slowSeconds }: OwnSettings): string =>
  (expect === undefined ? '' : ` target-expect=${expect}`) +
  (slowSeconds === undefined ? '' : ` target-slow=${formatDuration(slowSeconds)}`);

/** By target, from the words of a header; undefined where no target has any. */
export function ownIn(
  pairs: readonly (readonly [key: string, value: string])[],
): Readonly<Record<string, OwnSettings>> | undefined {
  const own = new Map<string, OwnSettings>();
  let target = '';
  for (const [key, value] of pairs) {
    if (key === 'target') target = value;
    const more = settingIn(key, value);
    if (more !== undefined) own.set(target, { ...own.get(target), ...more });
  }
  return own.size === 0 ? undefined : Object.fromEntries(own);
}

function settingIn(key: string, value: string): OwnSettings | undefined {
  const expect = key === 'target-expect' ? readExpected(value) : undefined;
  if (expect !== undefined) return { expect };
  const slowSeconds = key === 'target-slow' ? parseDuration(value) : undefined;
  return slowSeconds === undefined ? undefined : { slowSeconds };
}
