import { customGroup, kind, type Served } from './served-kind.ts';

/** The kinds that Karpenter's definitions bring (charts karpenter-crd 1.14). */
export const karpenterKinds: readonly Served[] = [
  ...customGroup('autoscaling.x-k8s.io/v1beta1', [
    kind('CapacityBuffer', 'capacitybuffers', {
      shortNames: ['cb'],
      categories: ['autoscaling'],
      subresources: ['status'],
      generation: true,
      storageVersionHash: 'ynU1aiGVA/Y=',
    }),
  ]),
  ...customGroup('karpenter.k8s.aws/v1', [
    kind('EC2NodeClass', 'ec2nodeclasses', {
      namespaced: false,
      shortNames: ['ec2nc', 'ec2ncs'],
      categories: ['karpenter'],
      subresources: ['status'],
      generation: true,
      storageVersionHash: 'Komf+NdDyGU=',
    }),
  ]),
  ...customGroup('karpenter.sh/v1', [
    kind('NodeClaim', 'nodeclaims', {
      namespaced: false,
      categories: ['karpenter'],
      subresources: ['status'],
      generation: true,
      storageVersionHash: 'QTizURWjI3E=',
    }),
    kind('NodePool', 'nodepools', {
      namespaced: false,
      categories: ['karpenter'],
      subresources: ['status', 'scale'],
      generation: true,
      storageVersionHash: 'Vc6J1THIlNI=',
    }),
  ]),
  ...customGroup('karpenter.sh/v1alpha1', [
    kind('NodeOverlay', 'nodeoverlays', {
      namespaced: false,
      shortNames: ['overlays'],
      categories: ['karpenter'],
      subresources: ['status'],
      generation: true,
      storageVersionHash: 'i6vUpcr5Xck=',
    }),
  ]),
];
