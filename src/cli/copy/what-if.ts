import * as z from 'zod';
import type { Copy } from '../../copy/copy.ts';
import { readCopy } from '../../copy/read-copy.ts';
import { UsageError } from '../../host/errors.ts';
import type { Answer } from '../../what-if/answer-shape.ts';
import { drainAll } from '../../what-if/drain-all.ts';
import { type ActionKind, readAction } from '../../what-if/read-action.ts';
import { whatIf as answerOf } from '../../what-if/what-if.ts';
import type { Perform } from '../command/command.ts';
import type { Context } from '../command/context.ts';
import { exitCodes } from '../command/exit-codes.ts';
import { pageOf } from '../command/page.ts';
import { flagsIn } from '../command/read-flags.ts';
import { say } from '../command/say.ts';
import { drainAllText } from './drain-all-text.ts';
import { copyOfCluster } from './snapshot.ts';
import { answerText } from './what-if-text.ts';

const schema = z.strictObject({
  cluster: z.array(z.string()).default([]),
  kubeconfig: z.string().optional(),
  context: z.string().optional(),
  all: z.boolean().default(false),
  zone: z.string().optional(),
  seed: z.string().default('1'),
});

const kinds = ['drain', 'lose', 'rollout', 'scale'] as const satisfies readonly ActionKind[];

/** `what-if`: what an action does to the cluster of a copy. 1 if a workload goes down or something blocks. */
export const whatIf: Perform = async (context, { operands: [given = '', ...names], options }) => {
  const read = flagsIn(schema, options);
  const kind = kinds.find((one) => one === given);
  const mistakes = [
    ...('mistakes' in read ? read.mistakes : flagMistakes(read.settings, kind, names)),
    ...(kind === undefined ? [`'${given}' is no action: it is one of ${kinds.join(', ')}.`] : []),
  ];
  if ('mistakes' in read || kind === undefined || mistakes.length > 0) throw new UsageError(mistakes);
  const { cluster, zone, seed, all, ...place } = read.settings;
  const copy =
    cluster.length === 0 ? (await copyOfCluster(context, place)).copy : await readCopy(context.host.files, cluster);
  if (all) return ofAllNodes(context, copy, seed);
  const asked = readAction(copy, { kind, names, zone });
  if ('mistakes' in asked) throw new UsageError(asked.mistakes);
  const answer = await answerOf(copy, asked.action, seed);
  const { out } = context.host;
  if (context.flags.json) out.write(`${JSON.stringify(answer)}\n`);
  else out.write(answerText(answer, pageOf(context)));
  return exitCodeOf(answer);
};

type Flags = z.output<typeof schema>;

function flagMistakes(flags: Flags, kind: Kind | undefined, names: readonly string[]): readonly string[] {
  const { cluster, kubeconfig, context } = flags;
  const isFile = cluster.length > 0 && (kubeconfig !== undefined || context !== undefined);
  return [
    ...(isFile ? ['--cluster names a copy: leave --kubeconfig and --context out.'] : []),
    ...(kind === undefined ? [] : mistakesOf[kind](flags, names)),
  ];
}

type Kind = (typeof kinds)[number];

const mistakesOf: Readonly<Record<Kind, (flags: Flags, names: readonly string[]) => readonly string[]>> = {
  drain: (flags, names) => [...drainMistakes(flags, names), ...unnamed('drain', flags, names)],
  lose: (flags, names) => [...loseMistakes(flags, names), ...unnamed('lose', flags, names)],
  rollout: (flags, names) => [
    ...onNodesAlone(flags),
    ...(names.length === 1 ? [] : ['name one workload to roll out: KIND/NAME or KIND/NAMESPACE/NAME.']),
  ],
  scale: (flags, names) => [
    ...onNodesAlone(flags),
    ...(names.length === 2 && /^\d{1,5}$/.test(names[1] ?? '')
      ? []
      : ['name one workload to scale, KIND/NAME or KIND/NAMESPACE/NAME, and the number of its replicas.']),
  ],
};

const unnamed = (kind: Kind, { zone, all }: Flags, names: readonly string[]): readonly string[] =>
  names.length > 0 || zone !== undefined || all ? [] : [`name the nodes to ${kind}.`];

const onNodesAlone = ({ zone, all }: Flags): readonly string[] => [
  ...(zone === undefined ? [] : ['--zone is for lose.']),
  ...(all ? ['--all is for drain.'] : []),
];

const drainMistakes = ({ zone, all }: Flags, names: readonly string[]): readonly string[] => [
  ...(zone === undefined ? [] : ['--zone is for lose: name the nodes to drain.']),
  ...(all && names.length > 0 ? ['--all drains each node alone: leave the names out.'] : []),
];

const loseMistakes = ({ zone, all }: Flags, names: readonly string[]): readonly string[] => [
  ...(all ? ['--all is for drain: name the nodes to lose, or --zone.'] : []),
  ...(zone !== undefined && names.length > 0 ? ['--zone names the nodes of lose: leave the names out.'] : []),
];

async function ofAllNodes(context: Context, copy: Copy, seed: string): Promise<number> {
  const { host, flags } = context;
  let told = 0;
  const answer = await drainAll(host, { copy, seed }, (count, all) => {
    const tenths = Math.floor((10 * count) / all);
    if (!flags.quiet && all >= tellsFrom && tenths > told) say(host.talk, `${count} of ${all} nodes`);
    told = Math.max(told, tenths);
  });
  if (flags.json) host.out.write(`${JSON.stringify(answer)}\n`);
  else host.out.write(drainAllText(answer, pageOf(context)));
  return exitCodeOf(answer);
}
/** Fewer nodes take a few seconds. */
const tellsFrom = 20;

const exitCodeOf = ({ workloads, blockedBy }: Answer): number =>
  blockedBy.length > 0 || workloads.some(({ verdict }) => verdict === 'goes-down' || verdict === 'blocks')
    ? exitCodes.failed
    : exitCodes.done;
