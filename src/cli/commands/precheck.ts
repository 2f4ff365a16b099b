import * as z from 'zod';
import { applicationsOf } from '../../validation/applications.ts';
import type { Finding } from '../../validation/finding.ts';
import { preCheck } from '../../validation/procedure/pre-check.ts';
import { clusterFlags, runFlagMistakes, runFlags, typedSettings } from '../cluster/cluster-flags.ts';
import { openCluster, readCluster } from '../cluster/open-cluster.ts';
import { readRunFlags } from '../cluster/read-run-flags.ts';
import type { Perform } from '../command/command.ts';
import { exitCodes } from '../command/exit-codes.ts';
import { findingsText } from '../command/findings-text.ts';
import { hangingIndent } from '../command/hanging-indent.ts';
import { pageOf } from '../command/page.ts';
import { scenarioMistakes, scenariosOn } from '../settings/run-settings.ts';

const schema = z.strictObject({ ...clusterFlags, ...runFlags });

/**
 * `precheck`: phase 1 on a real cluster, which it only reads. 0 if a run may begin, 3 if not, 6 if another run is under
 * way.
 */
export const precheck: Perform = async (context, { options }) => {
  const { scenario, manifests, loadWorkers, vantage, ...where } = await readRunFlags(schema, options, {
    alsoWrong: (typed) => [...scenarioMistakes(typed.scenario ?? []), ...runFlagMistakes(typed)],
    files: ({ kubeconfig, context: name, file, application }) =>
      readCluster(context, { kubeconfig, context: name, file, application }),
  });
  const { site, settings } = await openCluster(context, where, typedSettings({ manifests, loadWorkers, vantage }));
  const findings: Finding[] = [];
  let needed = 0;
  const about = { site, scenarios: scenariosOn(settings, scenario), cleanup: false, holder: 'precheck' };
  const stopping: Finding[] = [];
  for (const one of applicationsOf(settings)) {
    const record: Parameters<typeof preCheck>[1]['record'] = (fact) => {
      if (fact.type !== 'check-finished' || isKnown(findings, fact.finding)) return;
      findings.push(fact.finding);
      if (fact.mandatory) needed += 1;
    };
    stopping.push(...(await preCheck({ ...about, settings: one }, { record })));
  }
  const exitCode = exitCodeOf(stopping);
  const { out } = context.host;
  if (context.flags.json) out.write(`${JSON.stringify({ schemaVersion: 1, findings, exitCode })}\n`);
  else
    out.write(
      `${findingsText(findings, pageOf(context))}\n${hangingIndent(pageOf(context), '', outcomeText(new Set(stopping.map((one) => JSON.stringify(one))).size, needed))}\n`,
    );
  return exitCode;
};

/** What two applications share is found for both. */
const isKnown = (findings: readonly Finding[], finding: Finding): boolean =>
  findings.some((one) => JSON.stringify(one) === JSON.stringify(finding));

/** What the checks mean for a run. */
const outcomeText = (bad: number, needed: number): string =>
  bad === 0
    ? `A run may begin: all ${needed} checks that it needs are as they must be.`
    : `A run would stop here: ${bad} of the ${needed} checks that it needs ${bad === 1 ? 'is' : 'are'} not as it must be. What to do stands with each error.`;

function exitCodeOf(stopping: readonly Finding[]): number {
  if (stopping.length === 0) return exitCodes.done;
  return stopping.some(({ id }) => id === 'another-run') ? exitCodes.locked : exitCodes.stopped;
}
