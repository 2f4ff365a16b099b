import { inWords } from '../../deployment/log/fact-words.ts';
import type { DeploymentFact } from '../../deployment/record/events.ts';
import { factsOfRun, lastRunId, type RunRecord, runsOf } from '../../deployment/record/history.ts';
import { readableDuration } from '../../figures/figures.js';
import { UsageError } from '../../host/errors.ts';
import type { Output } from '../../host/host.ts';
import type { Perform } from '../command/command.ts';
import { fitted } from '../command/hanging-indent.ts';
import { readCheckout } from '../settings/read-deployment.ts';
import { historyLine } from './history.ts';

/** `show [ID]`: one run in full, by default the last one. The beginning of an id is enough if it is unique. */
export const show: Perform = async (context, given) => {
  const { stateFolder } = await readCheckout(context, given);
  const { files, out } = context.host;
  const wanted = given.operands[0] ?? (await lastRunId(files, stateFolder));
  if (wanted === undefined)
    throw new UsageError(['nothing has run in this checkout yet: holdfast deploy makes the first run.']);
  const facts = await factsOfRun(files, stateFolder, wanted);
  const runs = runsOf(facts);
  const [run] = runs;
  if (run === undefined) throw new UsageError([`there is no run ${wanted}: holdfast history lists all ids.`]);
  if (runs.length > 1)
    throw new UsageError([`${runs.length} runs have an id that begins with ${wanted}: give more of it.`]);
  out.write(context.flags.json ? `${JSON.stringify({ schemaVersion: 1, run, facts })}\n` : textOf(run, facts, out));
  return 0;
};

function textOf(run: RunRecord, facts: readonly DeploymentFact[], out: Output): string {
  const startedAt = Date.parse(run.startedAt);
  const lines = facts.flatMap((fact) => {
    const said = inWords(fact);
    const after = readableDuration((Date.parse(fact.at) - startedAt) / 1000);
    return said === undefined ? [] : [fitted(out, `  ${after.padStart(11)}  `, said)];
  });
  return `${[fitted(out, '', historyLine(run), 4), ...summary(run), ...lines].join('\n')}\n`;
}

function summary({ startedAt, document, pid }: RunRecord): readonly string[] {
  const started = `started ${startedAt.replace(/\.\d+Z$/, 'Z')}`;
  if (document === undefined) return [`${started} by process ${pid}, and has no end`];
  const seconds = (Date.parse(document.finishedAt) - Date.parse(document.startedAt)) / 1000;
  return [`${started}, took ${readableDuration(seconds)}`];
}
