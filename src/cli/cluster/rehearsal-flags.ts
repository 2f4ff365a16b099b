import * as z from 'zod';
import { defects } from '../../rehearsal/defects.ts';
import { duration } from '../../settings/read-settings.ts';
import type { RawArguments } from '../command/command.ts';
import type { Context } from '../command/context.ts';
import { mistakesOf } from '../command/mistakes.ts';
import { wholeNumber } from '../command/whole-number.ts';
import { type FrontDoorName, frontDoorNames } from '../manifests/front-door.ts';
import { requireFreeFolders, runFolderFlag } from '../runs/create-run-folder.ts';
import { readValidationSettings, scenarioMistakes, unknownName } from '../settings/run-settings.ts';
import { readRunFlags } from './read-run-flags.ts';

/**
 * The largest cluster that Kubernetes supports (Kubernetes, "Considerations for large clusters"); it takes 1.5 GB here.
 */
const mostNodes = 5000;

/** Names with commas between them. */
const frontDoorFlag = z.string().transform((text, { addIssue }) => {
  const known: readonly string[] = frontDoorNames;
  const names = [...new Set(text.split(',').map((name) => name.trim()))];
  for (const name of names.filter((one) => !known.includes(one))) addIssue(unknownName('front door', name, known));
  return names as FrontDoorName[];
});

const flagsSchema = z.strictObject({
  seed: wholeNumber(0).default(1),
  scenario: z.array(z.string()).default([]),
  defect: z.array(z.string()).default([]),
  manifests: z.enum(['hardened', 'plain']).optional(),
  nodes: wholeNumber(1, mostNodes).optional(),
  file: z.array(z.string()).default([]),
  application: z.string().optional(),
  together: z.boolean().default(false),
  vantage: z.enum(['in-cluster']).optional(),
  frontDoor: frontDoorFlag.default([]),
  against: z.array(z.string()).default([]),
  assumptions: z.boolean().default(true),
  failOn: z.enum(['any', 'worse']).default('any'),
  summary: z.string().min(1).optional(),
  out: runFolderFlag.optional(),
  listen: z.boolean().default(false),
  listenFor: duration.optional(),
});
export type RehearsalFlags = z.output<typeof flagsSchema>;

/** The flags of a rehearsal. All mistakes in them, in the settings and in the manifests are one `UsageError`. */
export function rehearsalFlags(context: Context, options: RawArguments['options']): Promise<RehearsalFlags> {
  return readRunFlags(flagsSchema, options, {
    alsoWrong: async (typed) => [...alsoWrong(typed), ...(await folderMistakes(context, typed))],
    files: () => readValidationSettings(context, {}),
  });
}

function alsoWrong(typed: Partial<z.input<typeof flagsSchema>>) {
  const { scenario = [], defect = [], listen = false, listenFor, file = [], manifests } = typed;
  const known = Object.keys(defects);
  return [
    ...scenarioMistakes(scenario),
    ...defect.filter((name) => !known.includes(name)).map((name) => unknownName('defect', name, known)),
    ...(file.length > 0 && listen
      ? ['--listen serves an empty cluster: apply your manifests with kubectl, without -f.']
      : []),
    ...(file.length > 0 && manifests !== undefined
      ? ['--manifests chooses the specification’s objects: leave it out with -f.']
      : []),
    ...ownMistakes(typed),
    ...(listen && typed.vantage !== undefined
      ? ['--vantage is of a run, and --listen makes none: give it to validate.']
      : []),
    ...(listen && scenario.length > 0 ? ['--listen serves the cluster and makes no run: leave out --scenario.'] : []),
    ...(!listen && listenFor !== undefined ? ['--listen-for limits how long --listen serves: add --listen.'] : []),
  ];
}

const ownMistakes = (typed: Partial<z.input<typeof flagsSchema>>): readonly string[] =>
  (typed.file ?? []).length > 0 ? mistakesWithFile(typed) : mistakesWithoutFile(typed);

function mistakesWithFile({ against = [], failOn, together }: Partial<z.input<typeof flagsSchema>>): readonly string[] {
  if (against.length > 0)
    return together ? ['--against compares each application by itself: leave out --together.'] : [];
  return failOn === 'worse' ? ['--fail-on worse compares with the manifests of --against: add --against.'] : [];
}

function mistakesWithoutFile({
  against = [],
  application,
  assumptions,
  failOn,
  summary,
  together,
  frontDoor,
}: Partial<z.input<typeof flagsSchema>>): readonly string[] {
  return [
    ...(frontDoor === undefined ? [] : ['--front-door chooses what leads visitors to the manifests of -f: add -f.']),
    ...(together ? ['--together is of the applications of -f: add -f.'] : []),
    ...(application === undefined ? [] : ['--application chooses among the manifests of -f: add -f.']),
    ...(against.length === 0 ? [] : ['--against compares with the manifests of -f: add -f.']),
    ...(failOn === undefined ? [] : ['--fail-on says when a rehearsal of -f fails: add -f.']),
    ...(assumptions === false ? ['--no-assumptions leaves out a search that only -f makes: add -f.'] : []),
    ...(summary === undefined ? [] : ['--summary is of a rehearsal of -f: add -f.']),
  ];
}

/** `--listen` only writes its kubeconfig, so that its folder may hold a run. */
function folderMistakes({ host }: Context, { out, listen = false }: Partial<z.input<typeof flagsSchema>>) {
  return listen ? [] : mistakesOf(requireFreeFolders(host.files, out));
}
