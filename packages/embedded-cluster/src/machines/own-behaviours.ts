/** The behaviour of an application that manifests do not state; times in seconds. */
export interface OwnBehaviour {
  /** From the container's start to the listening socket. */
  readonly start: number;
  /** From SIGTERM to the exit. */
  readonly stop: number;
  /** The pull of its image on a new node. */
  readonly pull: number;
  /** CPU time of a request. */
  readonly request: number;
  /** Whether it ends on SIGTERM. */
  readonly sigterm: boolean;
  /** Whether it still answers between SIGTERM and its exit. */
  readonly answers: boolean;
}

/** How the containers of the manifests behave. */
export interface OwnBehaviours {
  readonly every: OwnBehaviour;
  /** Of the workloads that differ: by `KIND/NAME`, or by `KIND/NAMESPACE/NAME`, which wins. */
  readonly byWorkload: Readonly<Record<string, OwnBehaviour>>;
}
