import type { Cloud } from '../cloud/cloud.ts';
import type { ClusterClient } from '../cluster/client.ts';
import type { Host } from '../host/host.ts';
/** Where a procedure happens: the outside, the cluster and the cloud beneath it seen through it. */
export interface Site {
  readonly host: Host;
  readonly cluster: ClusterClient;
  /** What the cluster runs on; without it nothing can be done there. */
  readonly cloud?: Cloud;
}
