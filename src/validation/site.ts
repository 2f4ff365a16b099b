import type { Cloud } from '../cloud/cloud.ts';
import type { ClusterClient } from '../cluster/client.ts';
import type { Host } from '../host/host.ts';

/** Where a procedure runs: the host, and the cluster and the cloud that it reaches through the host. */
export interface Site {
  readonly host: Host;
  readonly cluster: ClusterClient;
  /** The cloud that the cluster runs on; absent without access to it. */
  readonly cloud?: Cloud;
  /** Whether a run may keep the owner's HorizontalPodAutoscalers from scaling: that of a rehearsal is nobody's. */
  readonly pausesAutoscalers?: true;
}
