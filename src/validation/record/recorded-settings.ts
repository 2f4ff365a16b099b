import * as z from 'zod';

const text = z.string();
const number = z.number();
const url = text.refine((url) => URL.canParse(url), 'is no address');
const selected = z.looseObject({ namespace: text, selector: text });
const nodePool = z.looseObject({
  name: text,
  role: text,
  nodeClass: z.looseObject({ name: text }),
  requirements: z.array(z.looseObject({ key: text, operator: text, values: z.array(text).optional() })).optional(),
  selector: text.optional(),
});
const dns = z.looseObject({
  zone: text,
  ttl: number,
  rfc2136: z.looseObject({ server: text, keyFile: text }).optional(),
});

/** The settings of a run, as it wrote them, as far as they are read back. The durations are seconds. */
export const recordedSettings = z.looseObject({
  url,
  namespace: text,
  leaseNamespace: text.optional(),
  application: text,
  nodePool,
  ingressController: selected.extend({ service: text.optional() }),
  dnsAutomation: selected,
  autoscaler: selected.extend({ kind: z.enum(['karpenter', 'none']).optional() }),
  loadBalancerDomain: text.optional(),
  dns,
  monitor: z.looseObject({ interval: number, timeout: number, slow: number }),
  probes: z.looseObject({ namespace: text.optional() }).optional(),
  rehearse: z
    .looseObject({
      frontDoor: z.enum(['ingress-nginx', 'envoy-gateway', 'traefik', 'alb', 'nlb']).optional(),
      ingress: z.enum(['mended', 'official']).optional(),
      interruptionQueue: z.boolean().optional(),
      missingImages: z.array(text).optional(),
      nodeReady: number.optional(),
    })
    .optional(),
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
        monitor: z.looseObject({ timeout: number.optional(), slow: number.optional() }).optional(),
      }),
    )
    .optional(),
});
