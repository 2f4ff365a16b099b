import * as z from 'zod';
import { planRun } from '../../validation/plan/plan.ts';
import { clusterFlags, runFlagMistakes, runFlags, typedSettings } from '../cluster/cluster-flags.ts';
import { openCluster, readCluster } from '../cluster/open-cluster.ts';
import { readRunFlags } from '../cluster/read-run-flags.ts';
import type { Perform } from '../command/command.ts';
import { exitCodes } from '../command/exit-codes.ts';
import { pageOf } from '../command/page.ts';
import { scenarioMistakes, scenariosOn } from '../settings/run-settings.ts';
import { planText } from './plan-text.ts';

const schema = z.strictObject({
  ...clusterFlags,
  ...runFlags,
  from: z.string().optional(),
  cleanup: z.boolean().default(false),
});

/** `plan`: every write that `validate` would make, its undo, whom else it affects, and its prediction. 1 if a permission is missing. */
export const plan: Perform = async (context, { options }) => {
  const { scenario, from, manifests, loadWorkers, vantage, cleanup, ...where } = await readRunFlags(schema, options, {
    alsoWrong: (typed) => [...scenarioMistakes(typed.scenario ?? [], typed.from), ...runFlagMistakes(typed)],
    files: ({ kubeconfig, context: name, file, application }) =>
      readCluster(context, { kubeconfig, context: name, file, application }),
  });
  const { site, settings } = await openCluster(context, where, typedSettings({ manifests, loadWorkers, vantage }));
  const planned = await planRun({ site, settings, scenarios: scenariosOn(settings, scenario, from), cleanup });
  const { out } = context.host;
  if (context.flags.json) out.write(`${JSON.stringify({ schemaVersion: 1, ...planned })}\n`);
  else out.write(planText(planned, pageOf(context)));
  return planned.missing.length === 0 ? exitCodes.done : exitCodes.failed;
};
