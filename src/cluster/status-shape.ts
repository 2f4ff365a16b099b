import * as z from 'zod';
import { number, part, some, text } from './pod-shape.ts';

const details = part({
  retryAfterSeconds: number,
  kind: text,
  causes: some(part({ reason: text, message: text, field: text })),
});

/**
 * meta/v1 Status, as far as it is read. A member of another type counts as absent: the answer is a refusal either way.
 */
export const statusShape = part({
  code: number.catch(undefined),
  reason: text.catch(undefined),
  message: text.catch(undefined),
  details: details.optional().catch(undefined),
});

/** meta/v1 APIResourceList. */
export const resourceListShape = part({
  resources: some(part({ name: z.string(), kind: z.string(), namespaced: z.boolean() })),
});
