import type { Served } from './served-kind.ts';

/** A subresource as discovery shows it: the kind of its bodies and what can be done with it. */
export interface Subresource {
  /** Undefined: the kind of the resource itself. */
  readonly responseKind?: { readonly group: string; readonly version: string; readonly kind: string };
  readonly verbs: readonly string[];
}

const readAndWritten = ['get', 'patch', 'update'];
const options = (kind: string) => ({ group: '', version: '', kind });
const proxied = ['create', 'delete', 'get', 'patch', 'update'];

const subresources: Readonly<Record<string, Subresource>> = {
  approval: { verbs: readAndWritten },
  binding: { responseKind: options('Binding'), verbs: ['create'] },
  ephemeralcontainers: { verbs: readAndWritten },
  eviction: { responseKind: { group: 'policy', version: 'v1', kind: 'Eviction' }, verbs: ['create'] },
  finalize: { verbs: ['update'] },
  log: { verbs: ['get'] },
  resize: { verbs: readAndWritten },
  scale: { responseKind: { group: 'autoscaling', version: 'v1', kind: 'Scale' }, verbs: readAndWritten },
  status: { verbs: readAndWritten },
  token: { responseKind: { group: 'authentication.k8s.io', version: 'v1', kind: 'TokenRequest' }, verbs: ['create'] },
};

/** The discovery entry of a subresource of that kind. */
export function subresourceOf({ kind }: Served, name: string): Subresource {
  if (name === 'proxy') return { responseKind: options(`${kind}ProxyOptions`), verbs: proxied };
  const connected = connections[name];
  if (connected !== undefined) return { responseKind: options(connected), verbs: ['create', 'get'] };
  return subresources[name] ?? { verbs: readAndWritten };
}

const connections: Readonly<Record<string, string | undefined>> = {
  attach: 'PodAttachOptions',
  exec: 'PodExecOptions',
  portforward: 'PodPortForwardOptions',
};
