import type { StorageClass } from '../kubernetes/volumes.ts';

/**
 * The default class that the EBS driver's add-on brings
 * (https://github.com/kubernetes-sigs/aws-ebs-csi-driver/blob/master/charts/aws-ebs-csi-driver/values.yaml,
 * defaultStorageClass), and EKS's own, which is no default since 1.30
 * (https://docs.aws.amazon.com/eks/latest/userguide/kubernetes-versions-extended.html).
 */
export const storageClasses: readonly StorageClass[] = [
  {
    apiVersion: 'storage.k8s.io/v1',
    kind: 'StorageClass',
    metadata: {
      name: 'ebs-csi-default-sc',
      annotations: { 'storageclass.kubernetes.io/is-default-class': 'true' },
    },
    provisioner: 'ebs.csi.aws.com',
    volumeBindingMode: 'WaitForFirstConsumer',
    allowVolumeExpansion: true,
  },
  {
    apiVersion: 'storage.k8s.io/v1',
    kind: 'StorageClass',
    metadata: { name: 'gp2' },
    provisioner: 'kubernetes.io/aws-ebs',
    parameters: { type: 'gp2', fsType: 'ext4' },
    volumeBindingMode: 'WaitForFirstConsumer',
  },
];
