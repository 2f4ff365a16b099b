import type { EmbeddedCluster } from '@holdfast/embedded-cluster';
import * as z from 'zod';
import { objectShape } from '../../cluster/shapes.ts';
import { sealBy } from '../../host/seal.ts';

/** Shows that nobody changed the file since. The key is no secret: the file reaches no cluster but its own. */
export const worldSeal = sealBy('', 'world');

/** The text of `world.json` (docs/contract.md, "The run folder"). */
export const worldText = (world: Pick<EmbeddedCluster, 'save'>): string =>
  `${JSON.stringify(worldSeal.on(world.save()))}\n`;

const object = z
  .looseObject({ kind: z.string() })
  .refine((one) => objectShape(one.kind).safeParse(one).success, 'is no object of its kind');

/** What has to be there before the embedded cluster takes it. The time is the run's, in epoch milliseconds. */
export const savedWorld = z.looseObject({
  version: z.literal(1),
  seal: z.string().optional(),
  at: z.number().min(Date.UTC(2000, 0)).max(Date.UTC(2100, 0)),
  apiServer: z.looseObject({ revision: z.number(), objects: z.array(object) }),
  machines: z.looseObject({}),
  loadBalancers: z.array(z.looseObject({})),
  zone: z.array(z.unknown()),
});
