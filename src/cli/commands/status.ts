import { openCheckout } from '../../deployment/checkout/open-checkout.ts';
import { problems, type Status, statusOf } from '../../deployment/status.ts';
import type { Perform } from '../command/command.ts';
import { readPlace } from '../settings/read-deployment.ts';
import { historyLine } from './history.ts';

/** `status`: the deployed commit, the last run and the lock; exit 1 if something is wrong. */
export const status: Perform = async (context, given) => {
  const settings = await readPlace(context, given);
  const now = await statusOf(context.host, await openCheckout(context.host, settings), settings);
  const wrong = problems(now);
  const { flags, host } = context;
  host.out.write(flags.json ? `${JSON.stringify({ schemaVersion: 1, ...now, problems: wrong })}\n` : shown(now, wrong));
  return wrong.length === 0 ? 0 : 1;
};

function shown(
  { directory, commit, release, lastVerifiedCommit, lastRun, lock, warnings }: Status,
  wrong: readonly string[],
): string {
  const lines = [
    `directory      ${directory}`,
    `commit         ${commit ?? 'none'}`,
    ...(release === null ? [] : [`release        ${release}`]),
    `last verified  ${lastVerifiedCommit ?? 'none'}`,
    `last run       ${lastRun === null ? 'none' : historyLine(lastRun)}`,
    `lock           ${lock === null ? 'free' : `held by process ${lock.owner.pid} since ${lock.owner.acquiredAt}${lock.dead ? ', which is dead' : ''}`}`,
    ...warnings.map((sentence) => `? ${sentence}`),
    ...wrong.map((sentence) => `! ${sentence}`),
  ];
  return `${lines.join('\n')}\n`;
}
