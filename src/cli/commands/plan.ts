import * as z from 'zod';
import { applicationsOf } from '../../validation/applications.ts';
import { planRun, type RunPlan } from '../../validation/plan/plan.ts';
import { sharedObjects } from '../../validation/plan/shared-objects.ts';
import { nameOfApplication, type Passes, passesOf, type Together, together } from '../../validation/plan/together.ts';
import { lacks } from '../../validation/scenarios/lacks.ts';
import type { Settings } from '../../validation/settings.ts';
import { clusterFlags, runFlagMistakes, runFlags, typedSettings } from '../cluster/cluster-flags.ts';
import { openCluster, readCluster } from '../cluster/open-cluster.ts';
import { readRunFlags } from '../cluster/read-run-flags.ts';
import type { Perform } from '../command/command.ts';
import { exitCodes } from '../command/exit-codes.ts';
import { mistakesOf } from '../command/mistakes.ts';
import { type Page, pageOf } from '../command/page.ts';
import { readBeside } from '../settings/read-beside.ts';
import { scenarioMistakes, scenariosOn } from '../settings/run-settings.ts';
import { passesText, planText, togetherText } from './plan-text.ts';

const schema = z.strictObject({
  ...clusterFlags,
  ...runFlags,
  from: z.string().optional(),
  cleanup: z.boolean().default(false),
  beside: z.array(z.string()).default([]),
});

/**
 * `plan`: every write that `validate` would make, its undo, whom else it affects, and its prediction. 1 if a permission
 * is missing.
 */
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
  const scenarios = scenariosOn(settings, scenario, from);
  const [first, ...further] = applicationsOf(settings);
  const planOf = (one: Settings) => {
    // What phase 3 applies for all is foreseen for each.
    const foreseen = settings.applied === undefined ? one : { ...one, applied: settings.applied };
    const able = scenarios.filter((each) => lacks(one, each) === undefined);
    return planRun({ site, settings: foreseen, scenarios: able, cleanup });
  };
  const planned = await planOf(first);
  const plans: RunPlan[] = [];
  for (const one of further) plans.push(await planOf(one));
  const run = [first, ...further];
  const all = [...run, ...(await readBeside(context, beside))];
  const shared = all.length === 1 ? undefined : { together: together(all, await sharedObjects(site.cluster, all)) };
  const several =
    further.length === 0
      ? undefined
      : {
          applications: further.map((one, index) => ({ application: nameOfApplication(one), ...plans[index] })),
          passes: passesOf(run, scenarios),
        };
  const { out } = context.host;
  if (context.flags.json) out.write(`${JSON.stringify({ schemaVersion: 1, ...planned, ...several, ...shared })}\n`);
  else out.write(textOf({ planned, run, plans, several, shared }, pageOf(context)));
  return [planned, ...plans].every(({ missing }) => missing.length === 0) ? exitCodes.done : exitCodes.failed;
};

interface Planned {
  readonly planned: RunPlan;
  readonly run: readonly Settings[];
  /** Of the further applications. */
  readonly plans: readonly RunPlan[];
  readonly several: { readonly passes: readonly Passes[] } | undefined;
  readonly shared: { readonly together: Together } | undefined;
}

function textOf({ planned, run, plans, several, shared }: Planned, page: Page): string {
  const names = run.map(nameOfApplication);
  if (several === undefined)
    return planText(planned, page) + (shared === undefined ? '' : togetherText(shared.together, page));
  return [
    ...[planned, ...plans].map(
      (plan, index) => `${page.paint.strong(names[index] ?? '')}\n\n${planText(plan, page)}\n`,
    ),
    passesText(several.passes, page),
    shared === undefined ? '' : togetherText(shared.together, page, names),
  ].join('');
}
