import { ownIds } from '../../host/caller.ts';
import { UsageError } from '../../host/errors.ts';
import type { ValidationFact } from '../../validation/record/events.ts';
import type { OpenIntent } from '../../validation/record/open-intents.ts';
import { runFiles } from '../../validation/record/run-folder.ts';
import type { Context } from '../command/context.ts';
import { readConfiguration } from '../settings/configuration.ts';
import { ownSeals } from './own-seal.ts';
import type { RunSettings } from './read-run-settings.ts';

/** A run folder of a real cluster, as it was read. */
export interface ReadFolder {
  readonly folder: string;
  readonly settings: RunSettings;
  readonly facts: readonly ValidationFact[];
}

/**
 * What speaks against this user having written the folder on this machine, a clause each; empty where both files have
 * the seal of the user's key.
 */
export async function foreignSigns(context: Context, read: ReadFolder): Promise<readonly string[]> {
  const seals = await ownSeals(context);
  if ('because' in seals) return [withoutEnd(seals.because), ...(await ownersOf(context, read.folder))];
  const journal = seals.journalOf(read.settings);
  const unsealed = read.facts.filter((fact) => !journal.isOn(fact)).length;
  const signs = [
    ...(seals.settings.isOn(read.settings) ? [] : [`${runFiles.settings} does not have the seal of your key`]),
    ...(unsealed === 0
      ? []
      : [`${unsealed} of ${read.facts.length} lines of ${runFiles.journal} do not have the seal of your key`]),
  ];
  return signs.length === 0 ? [] : [...signs, ...(await ownersOf(context, read.folder))];
}

const withoutEnd = (sentence: string): string => sentence.replace(/\.$/, '');

/** Whose the files are, and who may write them. */
async function ownersOf({ host, environment }: Context, folder: string): Promise<readonly string[]> {
  const own = ownIds(environment);
  const names = ['', `/${runFiles.settings}`, `/${runFiles.journal}`];
  const stats = await Promise.all(names.map((name) => host.files.stat(folder + name)));
  return stats.flatMap((stat, index) => [
    ...(stat === undefined || own.includes(stat.uid) ? [] : [`${folder}${names[index]} belongs to user ${stat.uid}`]),
    ...(stat !== undefined && stat.mode & 0o002 ? [`everybody may write ${folder}${names[index]}`] : []),
  ]);
}

/** A `UsageError` that shows what the folder would have undone, and where. */
export function refuseForeign(
  { folder, settings }: ReadFolder,
  signs: readonly string[],
  open: readonly OpenIntent[],
): never {
  const { cluster, validation } = settings;
  const where = `${cluster?.server ?? 'a cluster that it does not name'}${cluster === undefined ? '' : ` (context ${cluster.context})`}`;
  throw new UsageError([
    `${folder} cannot be shown to be a run of yours on this machine: ${signs.join('; ')}. Nothing was undone.`,
    `it would undo ${open.length} actions on ${where}, DNS zone ${validation?.dns?.zone ?? 'unnamed'}:`,
    ...open.map(({ action, subject, intent }) => `  ${action} of ${subject}: ${shortened(JSON.stringify(intent))}`),
    `if you know who wrote it, and that these changes are right: holdfast recover --trust ${folder}, with the --kubeconfig and --context of that cluster. The kubeconfig that the folder names${cluster?.kubeconfig === undefined ? '' : ` (${cluster.kubeconfig})`} is not used.`,
  ]);
}

const shortened = (text = 'nothing'): string => (text.length > 2000 ? `${text.slice(0, 2000)}…` : text);

/**
 * A `UsageError` if the caller's own settings name another DNS zone than those of a folder that somebody else wrote.
 */
export async function requireConfiguredZone(context: Context, { folder, settings }: ReadFolder): Promise<void> {
  const { dns } = (await readConfiguration(context)).validation as { readonly dns?: { readonly zone?: unknown } };
  const zone = settings.validation.dns.zone;
  if (dns?.zone === undefined || dns.zone === zone) return;
  throw new UsageError([
    `${folder} is of the DNS zone ${zone}, and your settings name ${String(dns.zone)}: name the settings of that run with --config.`,
  ]);
}
