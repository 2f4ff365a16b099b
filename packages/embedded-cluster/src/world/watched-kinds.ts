import type { Kind } from '../kubernetes/kinds.ts';

/** The kinds in the cache that the controllers share. */
export const watchedKinds: readonly Kind[] = [
  'ControllerRevision',
  'CronJob',
  'DaemonSet',
  'Deployment',
  'EC2NodeClass',
  'EndpointSlice',
  'HorizontalPodAutoscaler',
  'Ingress',
  'Job',
  'Namespace',
  'Node',
  'NodeClaim',
  'NodePool',
  'PersistentVolume',
  'PersistentVolumeClaim',
  'Pod',
  'PodDisruptionBudget',
  'ReplicaSet',
  'Service',
  'StatefulSet',
  'StorageClass',
  'VolumeAttachment',
];
