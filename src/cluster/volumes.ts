export type {
  ClaimReference,
  PersistentVolume,
  PersistentVolumeClaim,
  StorageClass,
  VolumeAttachment,
} from '@holdfast/embedded-cluster';
