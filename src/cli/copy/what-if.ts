import * as z from 'zod';
import { readCopy } from '../../copy/read-copy.ts';
import { UsageError } from '../../host/errors.ts';
import type { Answer } from '../../what-if/answer-shape.ts';
import { readAction } from '../../what-if/read-action.ts';
import { whatIf as answerOf } from '../../what-if/what-if.ts';
import type { Perform } from '../command/command.ts';
import { exitCodes } from '../command/exit-codes.ts';
import { pageOf } from '../command/page.ts';
import { flagsIn } from '../command/read-flags.ts';
import { copyOfCluster } from './snapshot.ts';
import { answerText } from './what-if-text.ts';

const schema = z.strictObject({
  cluster: z.array(z.string()).default([]),
  kubeconfig: z.string().optional(),
  context: z.string().optional(),
  zone: z.string().optional(),
  seed: z.string().default('1'),
});

const kinds = ['drain', 'lose'] as const;

/** `what-if`: what an action does to the cluster of a copy. 1 if a workload goes down or something blocks. */
export const whatIf: Perform = async (context, { operands: [given = '', ...names], options }) => {
  const read = flagsIn(schema, options);
  const kind = kinds.find((one) => one === given);
  const mistakes = [
    ...('mistakes' in read ? read.mistakes : flagMistakes(read.settings, kind, names)),
    ...(kind === undefined ? [`'${given}' is no action: it is ${kinds.join(' or ')}.`] : []),
  ];
  if ('mistakes' in read || kind === undefined || mistakes.length > 0) throw new UsageError(mistakes);
  const { cluster, zone, seed, ...place } = read.settings;
  const copy =
    cluster.length === 0 ? (await copyOfCluster(context, place)).copy : await readCopy(context.host.files, cluster);
  const asked = readAction(copy, { kind, names, zone });
  if ('mistakes' in asked) throw new UsageError(asked.mistakes);
  const answer = await answerOf(copy, asked.action, seed);
  const { out } = context.host;
  if (context.flags.json) out.write(`${JSON.stringify(answer)}\n`);
  else out.write(answerText(answer, pageOf(context)));
  return exitCodeOf(answer);
};

type Flags = z.output<typeof schema>;

function flagMistakes(
  { cluster, zone, kubeconfig, context }: Flags,
  kind: (typeof kinds)[number] | undefined,
  names: readonly string[],
): readonly string[] {
  const isFile = cluster.length > 0 && (kubeconfig !== undefined || context !== undefined);
  const twice = `--zone names the nodes of ${kind}: leave the names out.`;
  return [
    ...(isFile ? ['--cluster names a copy: leave --kubeconfig and --context out.'] : []),
    ...(zone !== undefined && kind === 'drain' ? ['--zone is for lose: name the nodes to drain.'] : []),
    ...(zone !== undefined && kind === 'lose' && names.length > 0 ? [twice] : []),
    ...(zone === undefined && kind !== undefined && names.length === 0 ? [`name the nodes to ${kind}.`] : []),
  ];
}

const exitCodeOf = ({ workloads, blockedBy }: Answer): number =>
  blockedBy.length > 0 || workloads.some(({ verdict }) => verdict === 'goes-down' || verdict === 'blocks')
    ? exitCodes.failed
    : exitCodes.done;
