import type { Ingress } from '../kubernetes/resources.ts';
import { isOfNginx } from '../objects/ingress-class.ts';

export interface Request {
  readonly host: string;
  readonly path: string;
}

export interface Backend {
  readonly serviceKey: string;
  /** The Service's port, by number or name. */
  readonly port: number | string;
  /** Of the Ingress. */
  readonly annotations: Readonly<Record<string, string>> | undefined;
}

const routes = new WeakMap<readonly Ingress[], Map<string, Backend | undefined>>();

/** Cached for each configuration and request, as nginx routes by what it compiled when it read its file. */
export function routed(ingresses: readonly Ingress[], request: Request): Backend | undefined {
  const known = routes.get(ingresses) ?? new Map<string, Backend | undefined>();
  const key = `${request.host}${request.path}`;
  const found = known.get(key);
  if (found !== undefined || known.has(key)) return found;
  const backend = backendOf(ingresses, request);
  routes.set(ingresses, known.set(key, backend));
  return backend;
}

/**
 * The backend of the rule that matches the request (networking.k8s.io/v1 Ingress): rules of its host come before a
 * wildcard that covers the host, and that before rules without a host; among them the longest path wins, Exact before
 * Prefix. When none matches, the first default backend; undefined when there is none.
 */
export function backendOf(ingresses: readonly Ingress[], { host, path }: Request): Backend | undefined {
  const ours = ingresses.filter((one) => isOfNginx(one) && !isCanary(one));
  const rules = ours.flatMap((ingress) => (ingress.spec.rules ?? []).map((rule) => ({ rule, ingress })));
  const hosts = [host, `*${host.slice(host.indexOf('.'))}`, undefined];
  const server = hosts.find((name) => rules.some(({ rule }) => (rule.host || undefined) === name));
  const candidates = rules
    .filter(({ rule }) => (rule.host || undefined) === server)
    .flatMap(({ rule, ingress }) => (rule.http?.paths ?? []).map((entry) => ({ entry, ingress })))
    .filter(({ entry, ingress }) => matchesPath(path, entry.path ?? '/', wayOfMatching(entry.pathType, ingress)))
    .sort((a, b) => precedence(b.entry) - precedence(a.entry));
  const fallback = ours.map((ingress) => ({ entry: { backend: ingress.spec.defaultBackend ?? {} }, ingress }));
  const best = [...candidates, ...fallback].find(({ entry }) => entry.backend.service !== undefined);
  if (best?.entry.backend.service === undefined) return undefined;
  const { name, port } = best.entry.backend.service;
  const { namespace, annotations } = best.ingress.metadata;
  return { serviceKey: `${namespace}/${name}`, port: port.number ?? port.name ?? 80, annotations };
}

const precedence = ({ path = '/', pathType }: { readonly path?: string; readonly pathType: string }): number =>
  2 * path.length + (pathType === 'Exact' ? 1 : 0);

/** An Ingress that takes a part of the visitors of another one: they all go to that one here. */
const isCanary = ({ metadata: { annotations = {} } }: Ingress): boolean => annotations[`${prefixed}canary`] === 'true';

const prefixed = 'nginx.ingress.kubernetes.io/';

/** With these annotations ingress-nginx reads paths as expressions (user guide, "Ingress Path Matching"). */
function wayOfMatching(
  pathType: string,
  { metadata: { annotations = {} } }: Ingress,
): 'exact' | 'prefix' | 'expression' {
  const isRewritten = annotations[`${prefixed}rewrite-target`]?.includes('$') === true;
  if (isRewritten || annotations[`${prefixed}use-regex`] === 'true') return 'expression';
  if (pathType === 'ImplementationSpecific') return 'expression';
  return pathType === 'Exact' ? 'exact' : 'prefix';
}

function matchesPath(path: string, prefix: string, how: 'exact' | 'prefix' | 'expression'): boolean {
  if (how === 'exact') return path === prefix;
  if (how === 'expression' && matchesExpression(path, prefix)) return true;
  const folder = prefix.endsWith('/') ? prefix : `${prefix}/`;
  return path === prefix || path.startsWith(folder);
}

/** What is no expression of this language matches nothing. */
function matchesExpression(path: string, expression: string): boolean {
  try {
    return new RegExp(`^${expression}`, 'i').test(path);
  } catch {
    return false;
  }
}
