import { factsOfRun, runsOf } from '../../deployment/record/history.ts';
import { UsageError } from '../../host/errors.ts';
import type { Perform } from '../command/command.ts';
import { readCheckout } from '../settings/read-deployment.ts';
import { historyLine } from './history.ts';

/** `show ID`: one run in full. The beginning of an id is enough if it is unique. */
export const show: Perform = async (context, given) => {
  const { stateFolder } = await readCheckout(context, given);
  const [wanted = ''] = given.operands;
  const facts = await factsOfRun(context.host.files, stateFolder, wanted);
  const runs = runsOf(facts);
  const [run] = runs;
  if (run === undefined) throw new UsageError([`there is no run ${wanted}: holdfast history lists all ids.`]);
  if (runs.length > 1)
    throw new UsageError([`${runs.length} runs have an id that begins with ${wanted}: give more of it.`]);
  const { out } = context.host;
  if (context.flags.json) out.write(`${JSON.stringify({ schemaVersion: 1, run, facts })}\n`);
  else out.write(`${historyLine(run)}\n${facts.map((fact) => `${factLine(fact)}\n`).join('')}`);
  return 0;
};

function factLine({
  at,
  type,
  run: _,
  ...rest
}: {
  readonly at: string;
  readonly type: string;
  readonly run: string;
}): string {
  return `${at}  ${type}  ${JSON.stringify(rest)}`;
}
