import * as z from 'zod';
import type { watchedKinds } from './digest.ts';

/** The parts of the facts, with all that readers take from them. */
export const text = z.string();
export const number = z.number();
const flag = z.boolean();
export const texts = z.array(text);
const names = texts.optional();
const cause = z.looseObject({ kind: text, name: text, field: text });
export const place = z.looseObject({ file: text, line: number, field: text });
export const expectation = z.looseObject({
  id: text,
  expected: text,
  observed: text,
  outcome: z.enum(['met', 'not-met', 'inconclusive', 'noted']),
  advice: text.optional(),
  rules: names,
  because: cause.optional(),
  neighbours: z.looseObject({ node: text, others: texts }).optional(),
});
export const finding = z.looseObject({
  id: text,
  severity: z.enum(['info', 'warning', 'error']),
  subject: text,
  object: z.looseObject({ kind: text, namespace: text.optional(), name: text }).optional(),
  expected: text,
  observed: text,
  advice: text,
  because: cause.extend({ at: place.nullish() }).optional(),
  of: names,
  at: place.nullish(),
  rules: names,
});
export const obstacle = z.looseObject({ because: cause, observed: text, advice: text });
export const vantages = z.looseObject({
  rule: z.enum(['any', 'all', 'most']),
  // A name of a file in the run folder, and no other place.
  logs: z.array(z.looseObject({ name: text, file: z.string().regex(/^[\w-]+(\.[\w-]+)*$/) })),
});
const between = z.looseObject({ least: number, most: number });
export const prediction = z.looseObject({
  durationSeconds: between,
  downtimeSeconds: between,
  nodeReadySeconds: between.nullable(),
  podReadySeconds: between.nullable(),
  steps: z.array(z.looseObject({ afterSeconds: between, what: text, because: text, measuredAs: text.optional() })),
});
export const application = z.looseObject({ kind: text, namespace: text, name: text, host: text, path: text });
export const outcome = z.enum(['met', 'not-met', 'inconclusive', 'not-tested']);
export const verdict = z.enum(['pass', 'fail', 'inconclusive', 'error', 'not-tested', 'not-applicable']);
const bounded = z.looseObject({ seconds: number, lowerSeconds: number, upperSeconds: number });
const share = z.looseObject({ part: number, lower: number, upper: number });
/** `span` and `share` are of newer versions than the seconds. */
export const downtime = bounded.extend({
  slowSeconds: number.optional(),
  span: bounded.optional(),
  share: share.optional(),
  partial: z.looseObject({ spanSeconds: number, share: number }).optional(),
});
export const notRehearsed = z.array(
  z.looseObject({ at: z.looseObject({ file: text, line: number }), what: text, concerns: texts }),
);
export const seeded = z.array(
  z.looseObject({
    seed: number,
    scenarios: z.array(z.looseObject({ name: text, verdict, downtime: downtime.nullish() })),
    criteria: z.array(z.looseObject({ number, outcome })),
  }),
);
const counts = z.record(z.string(), number);
const percentiles = z.looseObject({ p50: number, p90: number, p99: number, p999: number.optional(), max: number });
/** Of a load: what came of its requests (`src/host/load/load-plan.ts`). */
export const load = z.looseObject({
  startedAt: number.optional(),
  seconds: number,
  statuses: counts,
  errors: counts,
  unsent: number.optional(),
  latency: z.array(z.looseObject({ upToSeconds: number, count: number })),
  percentiles: percentiles.nullish(),
  generator: text.optional(),
  workers: z
    .looseObject({
      asked: number,
      sound: number,
      startSpreadSeconds: number.nullable(),
      untimed: number,
      amiss: z.array(z.looseObject({ index: number, what: text, because: text, pod: text.optional(), unsent: number })),
    })
    .optional(),
});

const pod = z.looseObject({
  uid: text,
  createdAt: text,
  ready: flag,
  node: text.optional(),
  readyAt: text.optional(),
  deletingAt: text.optional(),
  exitCode: number.optional(),
  restarts: number.optional(),
});
/** The digests of the watched objects. */
export const digests: Readonly<Record<(typeof watchedKinds)[number], z.ZodType>> = {
  Deployment: z.looseObject({ replicas: number, ready: number, deadlineExceeded: z.literal(true).optional() }),
  EndpointSlice: z.looseObject({ addressType: text.optional(), ready: number, terminating: number }),
  IngressPod: pod,
  Node: z.looseObject({
    uid: text,
    createdAt: text,
    ready: flag,
    readyAt: text.optional(),
    deletingAt: text.optional(),
    labels: z.record(text, text),
  }),
  NodeClaim: z.looseObject({
    uid: text,
    createdAt: text,
    node: text.optional(),
    initializedAt: text.optional(),
    deletingAt: text.optional(),
    expireAfter: text.optional(),
    drifted: text.optional(),
    disruptionReason: text.optional(),
  }),
  NodePool: z.looseObject({
    budgets: z.array(z.looseObject({ nodes: text, reasons: names })),
    consolidateAfter: text.optional(),
  }),
  Pod: pod,
  PodDisruptionBudget: z.looseObject({ healthy: number, desired: number, allowed: number }),
};
