import { UsageError } from '../../host/errors.ts';
import { rehearsalFlags } from '../cluster/rehearsal-flags.ts';
import type { Perform } from '../command/command.ts';
import { createRunFolder } from '../runs/create-run-folder.ts';
import { holdSignals } from '../runs/hold-signals.ts';
import { prepareRehearsal } from './prepare-rehearsal.ts';
import { finishReports } from './report.ts';

/**
 * `rehearse`: the whole procedure on the embedded cluster, in virtual time; with `--listen` only serves that cluster,
 * in real time.
 */
export const rehearse: Perform = async (context, { options, operands: [what] }) => {
  if (what === 'deploy')
    return (await import('./rehearse-deploy.ts')).rehearseDeploy(context, { options, operands: [] });
  if (what !== undefined)
    throw new UsageError([`there is no rehearsal of ${what}: run holdfast rehearse, or holdfast rehearse deploy.`]);
  const flags = await rehearsalFlags(context, options);
  if (flags.listen) return (await import('./listen.ts')).listen(context, flags);
  const prepared = await prepareRehearsal(context, flags);
  const folder = await createRunFolder(context, flags.out, 'rehearsal', prepared.settings);
  return holdSignals(context.host, async ({ host }) => {
    const held = { ...context, host };
    const run = await prepared.make(held, folder);
    return prepared.conclude(held, run, await finishReports(context, folder, run));
  });
};
