import { type RunRecord, readHistory } from '../../deployment/record/history.ts';
import { performerText } from '../../deployment/record/performer.ts';
import type { Perform } from '../command/command.ts';
import { fitted } from '../command/hanging-indent.ts';
import { readCheckout } from '../settings/read-deployment.ts';

/** `history`: all runs, oldest first. */
export const history: Perform = async (context, given) => {
  const { stateFolder } = await readCheckout(context, given);
  const { host, flags } = context;
  const runs = await readHistory(host.files, stateFolder);
  host.out.write(
    flags.json
      ? `${JSON.stringify({ schemaVersion: 1, runs })}\n`
      : runs.map((run) => `${fitted(host.out, '', historyLine(run), 4)}\n`).join(''),
  );
  return 0;
};

/** A run in one line. */
export function historyLine(run: RunRecord): string {
  const { id, kind, branch, document, reset } = run;
  const from = document?.previousCommit ?? reset?.from;
  const to = document?.newCommit ?? reset?.to;
  const commits = `${short(from)} → ${short(to)}`;
  return `${id}  ${kind.padEnd(8)}  ${branch}  ${commits}  ${endOf(run)}${whoAndWhy(run)}`;
}

function whoAndWhy({ by, message }: RunRecord): string {
  return `${by === undefined ? '' : `, by ${performerText(by)}`}${message === undefined ? '' : `: ${message}`}`;
}

function endOf({ document, verified }: RunRecord): string {
  if (document !== undefined) return `${document.state}, exit ${document.exitCode}`;
  return verified === undefined ? 'not finished' : 'verified, not finished';
}

/** Seven digits, the default of `git log --abbrev-commit`. */
function short(commit: string | null | undefined): string {
  return commit?.slice(0, 7) ?? '-';
}
