import * as z from 'zod';
import { watchedKinds } from './digest.ts';
import type { ValidationFact } from './events.ts';

/**
 * Whether a line of a journal is a fact with all that readers take from it. A journal may be damaged, or be another
 * program's; a type that is not known here is left as it is.
 */
export function isValidationFact(fact: { readonly type: string }): fact is ValidationFact {
  const shape = shapes[fact.type];
  return shape === undefined || shape.safeParse(fact).success;
}

const text = z.string();
const expectation = z.looseObject({
  id: text,
  expected: text,
  observed: text,
  outcome: z.enum(['met', 'not-met', 'inconclusive', 'noted']),
  neighbours: z.looseObject({ node: text, others: z.array(text) }).optional(),
});
const finding = z.looseObject({
  id: text,
  severity: z.enum(['info', 'warning', 'error']),
  subject: text,
  expected: text,
  observed: text,
  advice: text,
});
const obstacle = z.looseObject({
  because: z.looseObject({ kind: text, name: text, field: text }),
  observed: text,
  advice: text,
});
const vantages = z.looseObject({
  rule: z.enum(['any', 'all', 'most']),
  // A name of a file in the run folder, and no other place.
  logs: z.array(z.looseObject({ name: text, file: z.string().regex(/^[\w-]+(\.[\w-]+)*$/) })),
});
const between = z.looseObject({ least: z.number(), most: z.number() });
const prediction = z.looseObject({
  durationSeconds: between,
  downtimeSeconds: between,
  nodeReadySeconds: between.nullable(),
  podReadySeconds: between.nullable(),
  steps: z.array(z.looseObject({ afterSeconds: between, what: text, because: text })),
});
const application = z.looseObject({ kind: text, namespace: text, name: text, host: text, path: text });
const selected = z.looseObject({ namespace: text, selector: text });

const url = text.refine((url) => URL.canParse(url));
const nodePool = z.looseObject({ name: text, role: text, nodeClass: z.looseObject({ name: text }) });
const dns = z.looseObject({ zone: text, ttl: z.number() });

/** The durations are seconds. */
const settings = z.looseObject({
  url,
  namespace: text,
  application: text,
  nodePool,
  ingressController: selected,
  dnsAutomation: selected,
  dns,
  monitor: z.looseObject({ interval: z.number(), timeout: z.number(), slow: z.number() }),
  // What a further one leaves out is as in the first.
  applications: z
    .array(
      z.looseObject({
        url,
        application: text,
        namespace: text.optional(),
        nodePool: nodePool.optional(),
        ingressController: selected.optional(),
        dns: dns.optional(),
        monitor: z.looseObject({ timeout: z.number().optional(), slow: z.number().optional() }).optional(),
      }),
    )
    .optional(),
});
const seeded = z.array(
  z.looseObject({
    seed: z.number(),
    scenarios: z.array(z.looseObject({ name: text })),
    criteria: z.array(z.looseObject({ number: z.number(), outcome: text })),
  }),
);

const objects: Readonly<Record<(typeof watchedKinds)[number], z.ZodType>> = {
  Deployment: z.looseObject({ replicas: z.number(), ready: z.number() }),
  EndpointSlice: z.looseObject({ ready: z.number(), terminating: z.number() }),
  IngressPod: z.looseObject({ uid: text, createdAt: text, ready: z.boolean() }),
  Node: z.looseObject({ uid: text, createdAt: text, ready: z.boolean(), labels: z.record(text, text) }),
  NodeClaim: z.looseObject({ uid: text, createdAt: text }),
  NodePool: z.looseObject({ budgets: z.array(z.looseObject({})) }),
  Pod: z.looseObject({ uid: text, createdAt: text, ready: z.boolean() }),
  PodDisruptionBudget: z.looseObject({ healthy: z.number(), desired: z.number(), allowed: z.number() }),
};

const ofScenario = z.looseObject({ scenario: text });
const ofAction = z.looseObject({ id: text });
const withReason = z.looseObject({ because: text });
const ofKind = z.looseObject({ kind: z.enum(watchedKinds) });

const shapes: Readonly<Record<string, z.ZodType>> = {
  'run-started': z.looseObject({
    tool: z.looseObject({ name: text, version: text }),
    run: z.looseObject({
      id: text,
      kind: z.enum(['rehearsal', 'cluster']),
      cluster: text,
      seed: z.number().optional(),
    }),
    scenarios: z.array(text),
    partial: z.boolean(),
    cleanup: z.boolean().optional(),
    vantages: vantages.optional(),
    settings,
  }),
  'check-finished': z.looseObject({ mandatory: z.boolean(), finding }),
  'probes-placed': z.looseObject({ vantages, without: z.array(z.looseObject({ zone: text, because: text })) }),
  'application-verified': z.looseObject({ expectations: z.array(expectation) }),
  'action-intended': z.looseObject({
    id: text,
    scenario: text.nullable(),
    action: text,
    subject: text,
    intent: z.unknown(),
  }),
  'action-performed': ofAction,
  'action-failed': z.looseObject({ id: text, because: text }),
  'action-verified': z.looseObject({ id: text, expectation }),
  'action-undone': z.looseObject({
    id: text,
    state: z.enum(['undone', 'kept', 'not-needed', 'failed', 'irreversible']),
    because: text,
  }),
  'cluster-changed': z
    .looseObject({
      kind: z.enum(watchedKinds),
      change: z.enum(['added', 'modified', 'deleted']),
      name: text,
      digest: z.unknown(),
    })
    .refine(({ kind, digest }) => objects[kind].safeParse(digest).success),
  'cluster-watched': ofKind,
  'cluster-unwatched': z.looseObject({ kind: z.enum(watchedKinds), since: text }),
  'scenario-predicted': z.looseObject({ scenario: text, prediction }),
  'scenario-started': ofScenario,
  'clock-compared': z.looseObject({ offsetSeconds: z.number(), uncertaintySeconds: z.number() }),
  'log-clock-set': z.looseObject({ file: text, seconds: z.number() }),
  'clock-set': z.looseObject({ seconds: z.number() }),
  'window-opened': ofScenario,
  'round-opened': z.looseObject({ scenario: text, round: z.number() }),
  'scenario-noted': z.looseObject({ scenario: text, expectation }),
  'scenario-settled': ofScenario,
  'window-closed': ofScenario,
  'scenario-inconclusive': z.looseObject({ scenario: text, because: text, rules: z.array(text).optional() }),
  'scenario-blocked': z.looseObject({ scenario: text, obstacles: z.array(obstacle).min(1) }),
  'scenario-passed-over': ofScenario,
  'scenario-finished': ofScenario,
  'run-interrupted': z.looseObject({ signal: text }),
  'run-aborted': withReason,
  'run-failed': withReason,
  'manifests-rehearsed': z.looseObject({
    applications: z.array(application).min(1),
    places: z.record(text, z.looseObject({ file: text, line: z.number(), field: text })),
  }),
  'application-rehearsed': z.looseObject({
    application,
    verdict: text,
    scenarios: z.array(z.looseObject({ name: text, findings: z.array(finding) })),
    criteria: z.array(z.looseObject({ number: z.number(), outcome: text, because: text })),
    findings: z.array(finding),
  }),
  'assumption-judged': z.looseObject({ assumption: z.looseObject({ name: text, application: text, setting: text }) }),
  'rehearsed-against': z.looseObject({ paths: z.array(text), before: seeded, after: seeded }),
  'name-seen': z.looseObject({ by: text, code: text, values: z.array(text), ttlSeconds: z.number().nullable() }),
  'zone-read': z.looseObject({ zone: text, negativeTtlSeconds: z.number() }),
  'cpu-seen': z.looseObject({
    measuredAt: z.number(),
    pods: z.array(z.looseObject({ name: text, millicores: z.number() })),
  }),
  'cpu-not-measured': withReason,
};
