import * as z from 'zod';
import type { DeploymentFact } from './events.ts';

const text = z.string();
const number = z.number();
const count = number.int();
/** It becomes a word of git's command line: never an option. */
const commit = text.regex(/^(?!-)/);
const performer = z.looseObject({ user: text, sudoUser: text.nullable(), sshFrom: text.nullable() });
const step = z.looseObject({ name: text, seconds: number, exitCode: number });
const notifications = z.array(z.looseObject({ channel: text, ok: z.boolean(), error: text.optional() }));
const event = z.looseObject({
  type: text,
  commit: commit.optional(),
  because: text.optional(),
  reason: text.optional(),
  step: text.optional(),
  signal: text.optional(),
  status: number.optional(),
  onDisk: text.optional(),
});
/** What version 0.1.0 did not write yet may be absent. */
const document = z.looseObject({
  id: text,
  state: z.enum([
    'verified',
    'unchanged',
    'updated',
    'rolled-back',
    'rolled-back-unhealthy',
    'rollback-failed',
    'aborted',
  ]),
  previousCommit: commit.nullable(),
  newCommit: commit.nullable(),
  httpStatus: number.nullable(),
  exitCode: number,
  because: text.nullish(),
  failedStep: text.nullish(),
  checks: z.array(z.looseObject({ commit, httpStatus: number, at: text, seconds: number })).optional(),
  startedAt: text,
  finishedAt: text,
  steps: z.array(step),
  probe: z.looseObject({ requests: number, failed: number, slow: number, longestGapSeconds: number }).nullish(),
  notifications,
  by: performer.nullish(),
  message: text.nullish(),
});
const between = z.looseObject({ from: commit, to: commit, because: text.optional() });

const shapes: Readonly<Record<string, z.ZodType>> = {
  'run-started': z.looseObject({
    kind: z.enum(['deploy', 'rollback', 'repair', 'backup']),
    branch: text,
    variant: text,
    mode: z.enum(['in-place', 'releases']).optional(),
    pid: count,
    bootId: text,
    by: performer.optional(),
    message: text.optional(),
  }),
  'baseline-checked': z.looseObject({ status: number }),
  'local-edits-found': z.looseObject({ paths: z.array(text) }),
  'reset-intended': between,
  'rollback-intended': between,
  warned: z.looseObject({ warnings: z.array(text) }),
  'child-started': z.looseObject({ pid: count.min(2), startTicks: text }),
  'visitors-counted': z.looseObject({ second: text, requests: number, failed: number, slow: number, torn: number }),
  notified: z.looseObject({ message: text, notifications }),
  'step-finished': step,
  'state-changed': z.looseObject({ from: text, to: text, event }),
  'run-finished': z.looseObject({ document }),
};

/** Whether a line of a deployment's journal is a fact with all that readers take from it. */
export function isDeploymentFact(fact: { readonly type: string }): fact is DeploymentFact {
  const shape = Object.hasOwn(shapes, fact.type) ? shapes[fact.type] : undefined;
  return ofRun.safeParse(fact).success && (shape === undefined || shape.safeParse(fact).success);
}
const ofRun = z.looseObject({ run: text });

/** `frozen.json`, `maintenance.json` and the records of what a run keeps (`src/deployment/tree`). */
export const freezeShape = z.looseObject({ reason: text, at: text, by: performer.nullish() });
export const maintenanceShape = z.looseObject({ files: z.array(text) });
export const keptShape = z.looseObject({ copied: z.array(text), moved: z.array(text) });
export const heldShape = z.looseObject({ folders: z.array(text), leaving: z.array(text) });
export const unseenShape = z.array(z.looseObject({ path: text, tag: text, blob: text, isEdited: z.boolean() }));
/** The record of a release, beside its name. */
export const releaseShape = z.looseObject({
  directory: text,
  commit: text.regex(/^(?:[0-9a-f]{40}|[0-9a-f]{64})$/),
  madeAt: number,
  state: z.enum(['making', 'ready', 'good', 'leaving']),
  provedAt: number.optional(),
  overCheckout: z.literal(true).optional(),
});
