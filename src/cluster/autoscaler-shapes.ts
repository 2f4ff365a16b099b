import * as z from 'zod';
import { conditions, map, number, part, requirements, some, taints, text, texts } from './pod-shape.ts';

const nodeClassRef = part({ group: text, kind: text, name: z.string() });

/** The members beside `metadata` of Karpenter's kinds. */
export const autoscalerShapes = {
  EC2NodeClass: { spec: part({}).optional(), status: part({ conditions }).optional() },
  NodeClaim: {
    spec: part({
      nodeClassRef,
      requirements,
      resources: part({ requests: map }).optional(),
      taints,
      expireAfter: text,
    }),
    status: part({
      conditions,
      nodeName: text,
      providerID: text,
      imageID: text,
      capacity: map,
      allocatable: map,
    }).optional(),
  },
  NodePool: {
    spec: part({
      template: part({
        metadata: part({ labels: map, annotations: map }).optional(),
        spec: part({
          nodeClassRef,
          requirements: requirements.unwrap(),
          expireAfter: text,
          taints,
          startupTaints: taints,
        }),
      }),
      disruption: part({
        budgets: some(part({ nodes: z.string(), reasons: texts, schedule: text, duration: text })),
        consolidateAfter: text,
        consolidationPolicy: text,
      }).optional(),
      limits: part({}).optional(),
      weight: number,
    }),
    status: part({ conditions, nodeClassObservedGeneration: number, resources: map, nodes: number }).optional(),
  },
};
