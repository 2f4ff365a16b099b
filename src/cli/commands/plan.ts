import * as z from 'zod';
import { planRun } from '../../validation/plan/plan.ts';
import { together } from '../../validation/plan/together.ts';
import { clusterFlags, runFlagMistakes, runFlags, typedSettings } from '../cluster/cluster-flags.ts';
import { openCluster, readCluster } from '../cluster/open-cluster.ts';
import { readRunFlags } from '../cluster/read-run-flags.ts';
import type { Perform } from '../command/command.ts';
import { exitCodes } from '../command/exit-codes.ts';
import { mistakesOf } from '../command/mistakes.ts';
import { pageOf } from '../command/page.ts';
import { readBeside } from '../settings/read-beside.ts';
import { scenarioMistakes, scenariosOn } from '../settings/run-settings.ts';
import { planText, togetherText } from './plan-text.ts';

const schema = z.strictObject({
  ...clusterFlags,
  ...runFlags,
  from: z.string().optional(),
  cleanup: z.boolean().default(false),
  beside: z.array(z.string()).default([]),
});

/** `plan`: every write that `validate` would make, its undo, whom else it affects, and its prediction. 1 if a permission is missing. */
export const plan: Perform = async (context, { options }) => {
  const { scenario, from, manifests, loadWorkers, vantage, cleanup, beside, ...where } = await readRunFlags(
    schema,
    options,
    {
      alsoWrong: async (typed) => [
        ...scenarioMistakes(typed.scenario ?? [], typed.from),
        ...runFlagMistakes(typed),
        ...(await mistakesOf(readBeside(context, typed.beside ?? []))),
      ],
      files: ({ kubeconfig, context: name, file, application }) =>
        readCluster(context, { kubeconfig, context: name, file, application }),
    },
  );
  const { site, settings } = await openCluster(context, where, typedSettings({ manifests, loadWorkers, vantage }));
  const planned = await planRun({ site, settings, scenarios: scenariosOn(settings, scenario, from), cleanup });
  const others = await readBeside(context, beside);
  const shared = others.length === 0 ? {} : { together: together([settings, ...others]) };
  const { out } = context.host;
  if (context.flags.json) out.write(`${JSON.stringify({ schemaVersion: 1, ...planned, ...shared })}\n`);
  else {
    out.write(planText(planned, pageOf(context)));
    if (shared.together !== undefined) out.write(togetherText(shared.together, pageOf(context)));
  }
  return planned.missing.length === 0 ? exitCodes.done : exitCodes.failed;
};
