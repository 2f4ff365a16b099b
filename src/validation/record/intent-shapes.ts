import * as z from 'zod';
import { workloadKinds } from '../../cluster/workload.ts';

const text = z.string();
/** A name as a segment of a path (kubernetes: apimachinery/pkg/api/validation/path). */
const name = text.regex(/^(?!\.\.?$)[^/%]+$/);
const count = z.number().int().min(0);
const shape = z.looseObject;
const place = shape({ apiVersion: text, kind: text, plural: name, namespaced: z.boolean() });
const metadata = shape({ name, namespace: name.optional() });
const cordon = shape({ node: name, uid: text, wasCordoned: z.boolean() });
const scaled = shape({
  kind: z.enum(['Deployment', 'StatefulSet']).optional(),
  namespace: name,
  name,
  replicas: count,
  original: count,
  from: count.optional(),
  stored: count.optional(),
});
/** As Route 53 has it, one record set and no more, or as a dynamic update has it (`rfc2136/record-set.ts`). */
const whole = text.regex(/^<ResourceRecordSet>(?:(?!<\/?ResourceRecordSet>)[\s\S])*<\/ResourceRecordSet>$|^\{[^<]*\}$/);
const recordSet = shape({ name: text, type: text, values: z.array(text), ttlSeconds: count.nullish(), whole });

/** By the action's name: what its undo, and the command to type instead, read of an intent in a journal. */
export const intentShapes: Readonly<Record<string, z.ZodType>> = {
  'apply-object': shape({
    resource: shape({ apiVersion: text, kind: text, metadata }),
    place: place.optional(),
    existed: z.boolean(),
    uid: text.optional(),
  }),
  'cordon-node': cordon,
  'delete-dns-record': shape({ name: text, zone: text, original: z.array(recordSet), byHand: text }),
  'delete-pod': shape({ namespace: name, name }),
  'drain-node': cordon,
  'load-by-job': shape({ namespace: name, name }),
  'mark-drift': shape({ nodeClaim: name, uid: text, original: text }),
  'pause-autoscaler': shape({ namespace: name, name, original: shape({}).nullable() }),
  'pause-deployment': scaled,
  'roll-out': shape({ kind: z.enum(workloadKinds), namespace: name, name, at: text }),
  scale: scaled,
  'send-load': shape({}),
  'set-budget': shape({
    nodePool: name,
    value: z.array(shape({ nodes: text })),
    original: z.array(shape({ nodes: text })).nullable(),
  }),
  'set-consolidate-after': shape({ nodePool: name, value: text, original: text.nullable() }),
  'start-probe': shape({ pod: shape({ metadata }), uid: text.optional() }),
  'terminate-instance': shape({ nodePool: text }),
  'terminate-zone': shape({ nodePool: text }),
};

/** Why the intent of an action of this name cannot be acted on; undefined if it can. */
export function whyUnreadable(action: string, intent: unknown): string | undefined {
  const [issue] = intentShapes[action]?.safeParse(intent).error?.issues ?? [];
  return issue && `${['intent', ...issue.path].join('.')}: ${issue.message}`;
}
