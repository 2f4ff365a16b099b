import { openCheckout } from '../../deployment/checkout/open-checkout.ts';
import { problems, type Status, statusOf } from '../../deployment/status.ts';
import type { Output } from '../../host/host.ts';
import type { Perform } from '../command/command.ts';
import { fitted } from '../command/hanging-indent.ts';
import { readPlace } from '../settings/read-deployment.ts';
import { historyLine } from './history.ts';
import { isForServers, statusOnServers } from './on-servers.ts';

/** `status`: the deployed commit, the last run and the lock; exit 1 if something is wrong. */
export const status: Perform = async (context, given) => {
  if (isForServers(given)) return statusOnServers(context, given);
  const settings = await readPlace(context, given);
  const now = await statusOf(context.host, await openCheckout(context.host, settings), settings);
  const wrong = problems(now);
  const { flags, host } = context;
  host.out.write(
    flags.json ? `${JSON.stringify({ schemaVersion: 1, ...now, problems: wrong })}\n` : shown(now, wrong, host.out),
  );
  return wrong.length === 0 ? 0 : 1;
};

function shown(
  { directory, commit, release, lastVerifiedCommit, lastRun, lock, kept, warnings }: Status,
  wrong: readonly string[],
  out: Output,
): string {
  const facts: readonly (readonly [string, string])[] = [
    ['directory', directory],
    ['commit', commit ?? 'none'],
    ...(release === null ? [] : [['release', release] as const]),
    ['last verified', lastVerifiedCommit ?? 'none'],
    ['last run', lastRun === null ? 'none' : historyLine(lastRun)],
    ['lock', lock === null ? 'free' : lockText(lock)],
    ...(kept.runs === 0 ? [] : [['kept by runs', `${(kept.bytes / 2 ** 20).toFixed(1)} MiB`] as const]),
  ];
  const lines = [
    ...facts.map(([name, value]) => fitted(out, `${name.padEnd(13)}  `, value)),
    ...warnings.map((sentence) => fitted(out, '? ', sentence)),
    ...wrong.map((sentence) => fitted(out, '! ', sentence)),
  ];
  return `${lines.join('\n')}\n`;
}

const lockText = ({ owner, dead }: NonNullable<Status['lock']>): string =>
  `held by process ${owner.pid} since ${owner.acquiredAt}${dead ? ', which is dead' : ''}`;
