/** A CSI driver of the cluster. */
export interface VolumeDriver {
  readonly name: string;
  /** Its volumes are in one zone, and only nodes of that zone can have them. */
  readonly zonal: boolean;
  /** Its volumes are attached to machines before they are mounted. */
  readonly attaches: boolean;
}

/**
 * https://docs.aws.amazon.com/eks/latest/userguide/ebs-csi.html: an EBS volume and the machine that it is attached to
 * are in one zone. https://docs.aws.amazon.com/eks/latest/userguide/efs-csi.html: a file system is reached over NFS
 * from every zone.
 */
const ebs: VolumeDriver = { name: 'ebs.csi.aws.com', zonal: true, attaches: true };
const efs: VolumeDriver = { name: 'efs.csi.aws.com', zonal: false, attaches: false };

/**
 * The in-tree name is the driver's too (https://kubernetes.io/docs/concepts/storage/volumes/#aws-ebs-csi-migration).
 */
const drivers: Readonly<Record<string, VolumeDriver | undefined>> = {
  [ebs.name]: ebs,
  'kubernetes.io/aws-ebs': ebs,
  [efs.name]: efs,
};

/** The driver that acts for a StorageClass's `provisioner`; undefined where none is installed. */
export const driverOf = (provisioner: string): VolumeDriver | undefined => drivers[provisioner];
