/** What an API server writes into metadata (meta/v1, ObjectMeta): an export has it, a manifest cannot set it. */
const ofMetadata = ['creationTimestamp', 'generation', 'managedFields', 'resourceVersion', 'selfLink', 'uid'] as const;

interface AnyManifest {
  readonly kind: string;
  readonly metadata: object;
}

/** The fields that the server wrote into an export of `kubectl get -o yaml`; none of a manifest that a person wrote. */
export function serverFields(object: AnyManifest): readonly string[] {
  const names: readonly string[] = ofMetadata.filter((name) => Object.hasOwn(object.metadata, name));
  if (!names.includes('resourceVersion') && !names.includes('managedFields')) return [];
  return [...names, ...('status' in object ? ['status'] : []), ...(isGivenAddress(object) ? ['spec.clusterIP'] : [])];
}

/** An address of another cluster; `None` is the owner's word. */
function isGivenAddress(object: AnyManifest): boolean {
  const { clusterIP } = Object(Object(object).spec);
  return object.kind === 'Service' && typeof clusterIP === 'string' && clusterIP !== 'None';
}

/** An export as a manifest: without those fields. */
export function withoutServerFields<T extends AnyManifest>(object: T): T {
  if (serverFields(object).length === 0) return object;
  const isKept = ([name]: readonly [string, unknown]): boolean => !(ofMetadata as readonly string[]).includes(name);
  const { status: _, ...rest } = object as T & { readonly status?: unknown };
  const metadata = Object.fromEntries(Object.entries(object.metadata).filter(isKept));
  if (!isGivenAddress(object)) return { ...rest, metadata } as unknown as T;
  const { clusterIP: __, clusterIPs: ___, ...spec } = Object(Object(object).spec);
  return { ...rest, metadata, spec } as unknown as T;
}
