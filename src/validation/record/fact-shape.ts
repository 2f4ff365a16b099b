import * as z from 'zod';
import { watchedKinds } from './digest.ts';
import type { ValidationFact } from './events.ts';
import {
  application,
  digests,
  downtime,
  expectation,
  finding,
  load,
  notRehearsed,
  number,
  obstacle,
  outcome,
  place,
  prediction,
  seeded,
  text,
  texts,
  vantages,
  verdict,
} from './fact-parts.ts';
import { recordedSettings } from './recorded-settings.ts';

/**
 * Whether a line of a journal is a fact with all that readers take from it. A journal may be damaged, or be another
 * program's; a type that is not known here is left as it is.
 */
export function isValidationFact(fact: { readonly type: string }): fact is ValidationFact {
  const shape = Object.hasOwn(shapes, fact.type) ? shapes[fact.type] : undefined;
  return ofSome.safeParse(fact).success && (shape === undefined || shape.safeParse(fact).success);
}

/** The applications that a fact concerns. */
const ofSome = z.looseObject({ of: texts.optional() });
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
      seed: number.optional(),
    }),
    scenarios: texts,
    partial: z.boolean(),
    cleanup: z.boolean().optional(),
    vantages: vantages.optional(),
    settings: recordedSettings,
  }),
  'check-finished': z.looseObject({ mandatory: z.boolean(), finding }),
  'probes-placed': z.looseObject({ vantages, without: z.array(z.looseObject({ zone: text, because: text })) }),
  'application-verified': z.looseObject({ expectations: z.array(expectation) }),
  'action-intended': z.looseObject({
    id: text,
    scenario: text.nullable(),
    action: text,
    subject: text,
    node: text.optional(),
    nodes: texts.optional(),
    intent: z.unknown(),
  }),
  'action-performed': ofAction.extend({ load: load.optional() }),
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
    .refine(({ kind, digest }) => digests[kind].safeParse(digest).success),
  'cluster-watched': ofKind,
  'cluster-unwatched': z.looseObject({ kind: z.enum(watchedKinds), since: text }),
  'scenario-predicted': z.looseObject({ scenario: text, prediction }),
  'scenario-started': ofScenario,
  'clock-compared': z.looseObject({
    offsetSeconds: number,
    uncertaintySeconds: number,
    logBehindSeconds: number.optional(),
  }),
  'log-clock-set': z.looseObject({ file: text, seconds: number }),
  'clock-set': z.looseObject({ seconds: number }),
  'window-opened': ofScenario,
  'round-opened': z.looseObject({ scenario: text, round: number }),
  'scenario-noted': z.looseObject({ scenario: text, expectation }),
  'scenario-settled': ofScenario,
  'window-closed': ofScenario,
  'scenario-inconclusive': z.looseObject({ scenario: text, because: text, rules: texts.optional() }),
  'scenario-blocked': z.looseObject({ scenario: text, obstacles: z.array(obstacle).min(1) }),
  'scenario-passed-over': ofScenario,
  'scenario-finished': ofScenario,
  'run-interrupted': z.looseObject({ signal: text }),
  'run-aborted': withReason,
  'run-failed': withReason,
  'manifests-rehearsed': z.looseObject({
    applications: z.array(application).min(1),
    places: z.record(text, place),
    notRehearsed: notRehearsed.optional(),
  }),
  'application-rehearsed': z.looseObject({
    application,
    verdict,
    scenarios: z.array(
      z.looseObject({
        name: text,
        verdict,
        notApplicable: text.optional(),
        downtime: downtime.nullish(),
        findings: z.array(finding),
      }),
    ),
    criteria: z.array(z.looseObject({ number, outcome, because: text })),
    findings: z.array(finding),
  }),
  'assumption-judged': z.looseObject({
    assumption: z.looseObject({
      name: text,
      application: text,
      value: z.union([number, z.boolean()]),
      setting: text,
      turnsAt: z
        .looseObject({ seconds: number.optional(), value: z.boolean().optional(), verdict })
        .refine(({ seconds, value }) => seconds !== undefined || value !== undefined)
        .nullable(),
      byChanceAt: z.array(number).optional(),
    }),
  }),
  'rehearsed-against': z.looseObject({ paths: texts, application: text.optional(), before: seeded, after: seeded }),
  'front-door-rehearsed': z.looseObject({
    name: text,
    declared: z.boolean(),
    verdict,
    scenarios: z.array(z.looseObject({ name: text, outcome: verdict, downtime: downtime.nullable() })),
    advice: z.array(z.looseObject({ what: text, because: text, tried: z.boolean() })),
    notRehearsed,
  }),
  'name-seen': z.looseObject({ by: text, code: text, values: texts, ttlSeconds: number.nullable() }),
  'zone-read': z.looseObject({ zone: text, negativeTtlSeconds: number }),
  'cpu-seen': z.looseObject({
    measuredAt: number,
    pods: z.array(z.looseObject({ name: text, millicores: number })),
  }),
  'cpu-not-measured': withReason,
};
