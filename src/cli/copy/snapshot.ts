import * as z from 'zod';
import { readCredentials } from '../../cluster/credentials.ts';
import { readerOf } from '../../cluster/pages.ts';
import { anonymized } from '../../copy/anonymize.ts';
import { snapshotText } from '../../copy/snapshot-text.ts';
import { type Taken, takeCopy } from '../../copy/take-copy.ts';
import { compressed } from '../../host/compressed.ts';
import type { Perform } from '../command/command.ts';
import type { Context } from '../command/context.ts';
import { exitCodes } from '../command/exit-codes.ts';
import { readFlags } from '../command/read-flags.ts';
import { say } from '../command/say.ts';

const where = { kubeconfig: z.string().optional(), context: z.string().optional() };
const schema = z.strictObject({
  ...where,
  namespace: z.array(z.string()).default([]),
  out: z.string().default('cluster.snapshot.gz'),
  anonymize: z.boolean().default(false),
});

/** `snapshot`: reads a cluster into one file, by gets and lists alone. */
export const snapshot: Perform = async (context, { options }) => {
  const { out, namespace, anonymize, ...place } = readFlags(schema, options);
  const { host, flags } = context;
  const { copy: read, refused } = await copyOfCluster(context, place, namespace);
  const copy = anonymize ? anonymized(read) : read;
  const bytes = await host.clock.hold('compressing the snapshot', () => compressed(snapshotText(copy)));
  await host.files.replaceBytes(out, bytes, { mode: 0o600 });
  const kinds = Object.fromEntries((copy.kindsRead ?? []).map((kind) => [kind, copy.objects.get(kind)?.length ?? 0]));
  const document = { schemaVersion: 1, out, bytes: bytes.length, kinds, refused };
  if (flags.json) host.out.write(`${JSON.stringify(document)}\n`);
  else {
    const count = (kind: string) => kinds[kind] ?? 0;
    say(host.out, `${out}: ${count('Node')} nodes and ${count('Pod')} pods, ${Math.ceil(bytes.length / 1024)} KiB.`);
    say(host.out, ...refused.map(({ kind, because }) => `without ${kind}: ${because}`));
  }
  return exitCodes.done;
};

/** The cluster of the kubeconfig as it is now. */
export async function copyOfCluster(
  { host, environment }: Context,
  { kubeconfig, context }: { readonly kubeconfig?: string | undefined; readonly context?: string | undefined },
  namespaces: readonly string[] = [],
): Promise<Taken> {
  const { access } = await readCredentials(host, { kubeconfig, context, environment });
  return takeCopy(readerOf(host, access), host.clock.wallAt(), namespaces);
}
