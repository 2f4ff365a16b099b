import * as z from 'zod';
import { duration } from './read-settings.ts';

/** What is left out is as in `rehearse.application`. */
const ownApplicationSchema = z.strictObject({
  start: duration.exactOptional(),
  stop: duration.exactOptional(),
  pull: duration.exactOptional(),
  request: duration.exactOptional(),
  sigterm: z.boolean().exactOptional(),
  answers: z.boolean().exactOptional(),
});

/** What only a rehearsal reads: `rehearse` of the settings. */
export const rehearseSchema = z.strictObject({
  /** What leads visitors in (docs/front-doors.md). */
  frontDoor: z.enum(['ingress-nginx', 'envoy-gateway', 'traefik', 'alb', 'nlb']).exactOptional(),
  /**
   * How the embedded cluster's ingress controller is installed: by its own manifest for AWS (`official`), or by that
   * manifest changed so that it causes no downtime (`mended`).
   */
  ingress: z.enum(['mended', 'official']).default('mended'),
  /**
   * Whether the embedded Karpenter hears of ending instances by an interruption queue (`settings.interruptionQueue` of
   * its chart).
   */
  interruptionQueue: z.boolean().default(false),
  /**
   * Images that no registry has, `*` for any characters; a name without a tag is that of all its tags. Any other image
   * is pulled.
   */
  missingImages: z.array(z.string().min(1)).default([]),
  /** From the launch of a machine to its Ready node; without it as the delays of docs/fidelity.md say, 55 to 81 s. */
  nodeReady: duration.exactOptional(),
  /** What manifests do not say of an application of one's own (`rehearse -f`). */
  application: z
    .strictObject({
      /** From the container's start to the listening socket. */
      start: duration.prefault('5s'),
      /** From SIGTERM to the exit; what takes longer than the grace period is killed. */
      stop: duration.prefault('1s'),
      /** The pull of its image on a new node. */
      pull: duration.prefault('15s'),
      /** CPU time of a request, within the container's CPU limit; by default an nginx' for a small page. */
      request: duration.prefault('0.05ms'),
      /** Whether it ends on SIGTERM; else it answers on until it is killed at the end of its grace period. */
      sigterm: z.boolean().default(true),
      /** Whether it still answers new requests between SIGTERM and its exit. */
      answers: z.boolean().default(false),
    })
    .exactOptional(),
  /** The same of single workloads, by `KIND/NAME` or `KIND/NAMESPACE/NAME`. */
  applications: z.record(z.string(), ownApplicationSchema).exactOptional(),
});
