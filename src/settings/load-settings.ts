import * as z from 'zod';
import { podSelector } from './pod-selector.ts';
import { duration } from './read-settings.ts';
import { toleration } from './toleration.ts';

/** A quantity of Kubernetes, as of CPU and memory. */
const quantity = z.string().regex(/^\d+(\.\d+)?(m|[kMGT]i?)?$/, 'is not a quantity such as 500m or 256Mi');
/** Kubernetes' own limit of an Indexed Job without a limit of failed indexes (batch/v1, JobSpec.parallelism). */
const mostWorkers = 100_000;

/** The pods of `load.workers`. */
const workerSchema = z.strictObject({
  /** holdfast's own image, as the nodes pull it. */
  image: z.string().min(1).default('holdfast'),
  /** Requested, and not more. */
  cpu: quantity.default('500m'),
  memory: quantity.default('256Mi'),
  /** The nodes for them; by default those that Karpenter did not launch. */
  nodeSelector: podSelector.exactOptional(),
  tolerations: z.array(toleration).default([{ key: 'CriticalAddonsOnly', operator: 'Exists' }]),
  /** A PriorityClass that is there. */
  priorityClass: z.string().min(1).exactOptional(),
  /** How long all of them are waited for before the load begins without those that do not run. */
  startWithin: duration.prefault('5m'),
});

/** What makes the requests of a load: holdfast itself, or another program by its JSON output. */
export const generators = ['holdfast', 'k6', 'vegeta', 'oha'] as const;

/** `validation.load`. */
export const loadSchema = z.strictObject({
  requests: z.number().int().positive().default(20_000),
  concurrency: z.number().int().positive().default(500),
  /** Requests a second; absent: as fast as they are answered. */
  rate: z.number().positive().exactOptional(),
  generator: z.enum(generators).exactOptional(),
  /** How many pods make the requests; absent: this machine does. */
  workers: z.number().int().positive().max(mostWorkers).exactOptional(),
  worker: workerSchema.exactOptional(),
});

/** What the pods of `load.workers` are, with what the settings leave out. */
export const workerOf = ({ worker }: z.output<typeof loadSchema>): z.output<typeof workerSchema> =>
  worker ?? workerSchema.parse({});
