import * as z from 'zod';

/** A toleration, as in a pod. */
export const toleration = z.strictObject({
  key: z.string().min(1).exactOptional(),
  operator: z.enum(['Exists', 'Equal']).exactOptional(),
  value: z.string().exactOptional(),
  effect: z.enum(['NoSchedule', 'PreferNoSchedule', 'NoExecute']).exactOptional(),
});
