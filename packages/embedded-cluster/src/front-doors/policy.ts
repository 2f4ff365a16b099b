/** What an owner sets of how proxies pass requests to an application; absent is the front door's own default. */
export interface DoorPolicy {
  /** Further tries of a request whose endpoint could not be connected to. */
  readonly retries?: number;
  /** Until an attempt to connect is given up. */
  readonly connectTimeoutSeconds?: number;
  /** Until a request, with all its tries, is answered with 504. */
  readonly requestTimeoutSeconds?: number;
  /** Of Envoy: so many failures in a row take an endpoint out. */
  readonly consecutiveErrors?: number;
  /** For how long, times how often it was taken out. */
  readonly ejectionSeconds?: number;
  /** Of all endpoints, how many may be out at once. */
  readonly mostEjectedPercent?: number;
}

/**
 * The annotation of an Ingress that has its policy as JSON. A front door's own objects (BackendTrafficPolicy,
 * Middleware) are no kinds of this cluster: who applies manifests translates them.
 */
export const policyAnnotation = 'front-door.embedded-cluster/policy';

const none: DoorPolicy = {};
const known = new WeakMap<Readonly<Record<string, string>>, DoorPolicy>();

export function policyOf(annotations: Readonly<Record<string, string>> | undefined): DoorPolicy {
  const text = annotations?.[policyAnnotation];
  if (annotations === undefined || text === undefined) return none;
  const found = known.get(annotations) ?? (JSON.parse(text) as DoorPolicy);
  known.set(annotations, found);
  return found;
}
