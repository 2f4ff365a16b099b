import type { SavedWorld } from '@holdfast/embedded-cluster';
import * as z from 'zod';
import { OperationError, UsageError } from '../../host/errors.ts';
import type { Host } from '../../host/host.ts';
import { oneLine } from '../../host/visible.ts';
import { readJournal } from '../../journal/journal.ts';
import { rehearsalHost } from '../../rehearsal/host.ts';
import { type RecoveredRun, recoverRun } from '../../validation/procedure/recover.ts';
import type { RunStarted, ValidationFact } from '../../validation/record/events.ts';
import { isValidationFact } from '../../validation/record/fact-shape.ts';
import { openIntents } from '../../validation/record/open-intents.ts';
import { runStarted } from '../../validation/record/records.ts';
import { runFiles } from '../../validation/record/run-folder.ts';
import { leaseNamespaceOf } from '../../validation/settings.ts';
import { clusterFlags } from '../cluster/cluster-flags.ts';
import { refuseNewer } from '../cluster/newer-version.ts';
import { siteOf } from '../cluster/open-cluster.ts';
import { foreignSigns, refuseForeign, requireConfiguredZone } from '../cluster/own-run.ts';
import { ownSeals } from '../cluster/own-seal.ts';
import { type RunSettings, readRunSettings, recordedCredentials } from '../cluster/read-run-settings.ts';
import { rehearsalSite } from '../cluster/rehearsal-site.ts';
import { requireSameCluster } from '../cluster/same-cluster.ts';
import { savedWorld, worldSeal, worldText } from '../cluster/saved-world.ts';
import type { Perform } from '../command/command.ts';
import type { Context } from '../command/context.ts';
import { exitCodes } from '../command/exit-codes.ts';
import { readFlags } from '../command/read-flags.ts';
import { say, sayMistakes } from '../command/say.ts';
import { runFolderFlag } from '../runs/create-run-folder.ts';
import { runsNewestFirst } from '../runs/runs-newest-first.ts';
import { surroundingsOf } from '../settings/surroundings-of.ts';

const { namespace: _, ...where } = clusterFlags;
const schema = z.strictObject({ ...where, cleanup: z.boolean().default(false), trust: runFolderFlag.optional() });
type Flags = z.output<typeof schema>;

/** `recover [RUN]`: undoes what an interrupted run left, from nothing but the run folder and the API. */
export const recover: Perform = async (context, { operands, options }) => {
  const flags = readFlags(schema, options);
  const folder = await folderOf(context.host, operands, flags);
  if (folder === undefined) return nothingToDo(context, 'no run in runs/ has anything left to undo');
  const read = await readJournal<ValidationFact>(context.host.files, `${folder}/${runFiles.journal}`, isValidationFact);
  const started = runStarted(read?.facts ?? []);
  if (read === undefined || started === undefined)
    throw new UsageError([
      `${folder} is not a run folder, because it has no journal.jsonl: without RUN the newest in runs/ with something to undo is taken.`,
    ]);
  refuseNewer(folder, started.tool.version, context.version);
  const { cleanup } = cleanupOf(read.facts, flags);
  if (openIntents(read.facts, { cleanup }).length === 0) return nothingOpen(context, folder, read.lines);
  const left = { folder, facts: read.facts, started };
  const byKind = started.run.kind === 'rehearsal' ? recoverRehearsal : recoverCluster;
  const recovered = await byKind(context, left, { ...flags, cleanup });
  if (recovered === undefined)
    return nothingToDo(context, `${folder} is a rehearsal, and its embedded cluster ended with its process`);
  return printRecovered(context, folder, recovered);
};

/** RUN, or the folder of `--trust`, which names only this one; without both the newest. */
async function folderOf(host: Host, [run]: readonly string[], flags: Flags): Promise<string | undefined> {
  const { trust } = flags;
  if (run === undefined) return trust ?? newestOpenRun(host, flags);
  if (trust === undefined || (await host.files.realPath(trust)) === (await host.files.realPath(run))) return run;
  throw new UsageError([`--trust names ${trust}, and RUN is ${run}: name the same folder.`]);
}

/** A run with `--cleanup` is recovered with `--cleanup`. */
function cleanupOf(facts: readonly ValidationFact[], { cleanup }: Flags): { readonly cleanup: boolean } {
  return { cleanup: cleanup || runStarted(facts)?.cleanup === true };
}

interface Left {
  readonly folder: string;
  readonly facts: readonly ValidationFact[];
  readonly started: RunStarted;
}

/** A damaged line of the journal may have been an action. */
function nothingOpen(context: Context, folder: string, lines: readonly { readonly type: string }[]): number {
  if (lines.every(({ type }) => type !== 'line-damaged')) return nothingToDo(context, `${folder} left nothing to undo`);
  const because = `the journal of ${folder} has nothing left to undo, but a line of it is damaged and may have been an action: compare the cluster with the report of the run`;
  return nothingToDo(context, because, exitCodes.failed);
}

function nothingToDo({ host, flags }: Context, because: string, exitCode: number = exitCodes.done): number {
  if (flags.json) host.out.write(`${JSON.stringify({ schemaVersion: 1, run: null, undo: [], because })}\n`);
  else say(host.out, `Nothing to recover: ${because}.`);
  return exitCode;
}

async function recoverCluster(context: Context, { folder, facts, started }: Left, flags: Flags): Promise<RecoveredRun> {
  const settings = await readRunSettings(context.host.files, folder);
  const { validation, cluster } = settings;
  const read = { folder, settings, facts };
  const signs = await foreignSigns(context, read);
  if (signs.length > 0 && flags.trust === undefined) refuseForeign(read, signs, openIntents(facts, flags));
  if (signs.length > 0) await requireConfiguredZone(context, read);
  // What somebody else wrote chooses no kubeconfig, whose users may be programs, and none of the caller's contexts.
  const credentials = await recordedCredentials(context, signs.length > 0 ? undefined : cluster, flags);
  const site = siteOf(context, credentials, validation);
  await requireSameCluster(site.cluster, credentials, cluster);
  const namespace = leaseNamespaceOf(validation);
  const seals = await ownSeals(context);
  const seal = 'because' in seals ? undefined : seals.journalOf(settings);
  const isOwn = signs.length > 0 ? undefined : seal?.isOn;
  return recoverRun({ site, namespace, folder, facts, run: started.run.id, cleanup: flags.cleanup, seal, isOwn });
}

async function recoverRehearsal(
  { host: real }: Context,
  { folder, facts, started }: Left,
  { cleanup }: Flags,
): Promise<RecoveredRun | undefined> {
  const saved = await real.files.read(`${folder}/${runFiles.world}`);
  if (saved === undefined) return undefined;
  const { validation } = await readRunSettings(real.files, folder);
  const world = worldIn(folder, saved);
  const recovering = recoverIn(world, real, { folder, facts, started }, { validation, cleanup });
  return 'seal' in world ? recovering : recovering.catch(asDamaged(folder));
}

async function recoverIn(
  saved: SavedWorld,
  real: Host,
  { folder, facts, started }: Left,
  { validation, cleanup }: Pick<RunSettings, 'validation'> & { readonly cleanup: boolean },
): Promise<RecoveredRun> {
  const { id: run, seed = 1 } = started.run;
  const rehearsal = rehearsalHost({ seed: String(seed), real, saved, surroundings: surroundingsOf(validation) });
  const site = rehearsalSite(rehearsal, validation);
  const namespace = leaseNamespaceOf(validation);
  const recovered = await rehearsal.run(() => recoverRun({ site, namespace, folder, facts, run, cleanup }));
  await real.files.replace(`${folder}/${runFiles.world}`, worldText(rehearsal.world));
  return recovered;
}

/** A power failure may have left half of the file. */
function worldIn(folder: string, text: string): SavedWorld {
  const value = parsedWorld(folder, text);
  const read = savedWorld.safeParse(value);
  if (read.success && (read.data.seal === undefined || worldSeal.isOn(value))) return value as SavedWorld;
  throw new UsageError([`${folder}/${runFiles.world} is no embedded cluster, or was changed since it was saved.`]);
}

function parsedWorld(folder: string, text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    throw new UsageError([`${folder}/${runFiles.world} is not JSON: the embedded cluster cannot be loaded from it.`]);
  }
}

/** Version 0.1.0 wrote no seal: what is wrong in such a file is found only where the embedded cluster runs. */
const asDamaged =
  (folder: string) =>
  (error: unknown): never => {
    if (error instanceof OperationError || error instanceof UsageError) throw error;
    throw new UsageError([
      `${folder}/${runFiles.world} is damaged: the embedded cluster cannot go on from it (${oneLine(String(error))}).`,
    ]);
  };

async function newestOpenRun({ files }: Host, flags: Flags): Promise<string | undefined> {
  for (const folder of await runsNewestFirst(files)) {
    const read = await readJournal<ValidationFact>(files, `${folder}/${runFiles.journal}`, isValidationFact);
    if (read !== undefined && openIntents(read.facts, cleanupOf(read.facts, flags)).length > 0) return folder;
  }
  return undefined;
}

function printRecovered({ host, flags }: Context, folder: string, recovered: RecoveredRun): number {
  if ('holder' in recovered) {
    sayMistakes(host.talk, [
      `nothing was undone, because ${recovered.holder} is running in namespace ${recovered.namespace}: wait for its end, then recover again.`,
    ]);
    return exitCodes.locked;
  }
  const undo = recovered.ends.map(({ intent, undo: end }) => ({
    action: intent.action,
    target: intent.subject,
    ...end,
  }));
  if (flags.json) host.out.write(`${JSON.stringify({ schemaVersion: 1, run: folder, undo })}\n`);
  else for (const end of undo) say(host.out, `${end.state}: ${end.action} of ${end.target}: ${end.because}`);
  if (recovered.withoutLease !== undefined)
    sayMistakes(host.talk, [
      `the undo was made without the lease that keeps other runs away: ${recovered.withoutLease}`,
    ]);
  if (recovered.unrecorded !== undefined) sayMistakes(host.talk, [recovered.unrecorded]);
  if (undo.some(({ state }) => state === 'failed')) return exitCodes.notUndone;
  return recovered.unrecorded === undefined ? exitCodes.done : exitCodes.failed;
}
