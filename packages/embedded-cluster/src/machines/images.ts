import type { DelayName } from '../time/delays.ts';
import type { Container } from './containers.ts';

/** How the program in an image behaves: when it listens, when it exits, what it serves. */
export interface Program {
  readonly name:
    | 'nginx'
    | 'ingress-nginx'
    | 'envoy'
    | 'envoy-gateway'
    | 'traefik'
    | 'karpenter'
    | 'external-dns'
    | 'coredns'
    | 'kube-proxy'
    | 'other';
  /** From the container's start to the listening socket. */
  readonly listens: DelayName;
  /** From the stop signal to the exit, with no request in flight. */
  readonly quits: DelayName;
  /** The ports that it listens on if the container names none. */
  readonly ports: readonly number[];
  /** It listens on `ports`, whatever ports the container names. */
  readonly hasOwnPorts?: true;
  /** It serves on for so long after it was told to end, and says from the first moment on that it is not healthy. */
  readonly drainSeconds?: number;
  /** The paths that it has a page for; absent if it answers every path. */
  readonly pages?: readonly string[];
}

const programs: readonly (Program & { readonly image: RegExp })[] = [
  {
    name: 'ingress-nginx',
    image: /ingress-nginx\/controller/,
    listens: 'systemListens',
    quits: 'nginxQuits',
    ports: [80, 443, 10254],
    hasOwnPorts: true,
  },
  {
    name: 'envoy',
    image: /^docker\.io\/envoyproxy\/envoy:distroless-v1\.40\.0$/,
    listens: 'systemListens',
    quits: 'processQuits',
    ports: [10_080, 10_443, 19_003],
    hasOwnPorts: true,
    // At least 10 s, looked at once a second: gone after 12.6 s (docs/front-doors.md).
    drainSeconds: 11,
  },
  {
    name: 'envoy-gateway',
    image: /^docker\.io\/envoyproxy\/gateway:v1\.9\.1$/,
    listens: 'systemListens',
    quits: 'processQuits',
    ports: [18_000, 8081],
    hasOwnPorts: true,
  },
  {
    name: 'traefik',
    image: /^docker\.io\/traefik:v3\.7\.13$/,
    listens: 'systemListens',
    quits: 'processQuits',
    ports: [8000, 8443, 8080],
    hasOwnPorts: true,
  },
  { name: 'karpenter', image: /karpenter/, listens: 'systemListens', quits: 'processQuits', ports: [8080] },
  { name: 'external-dns', image: /external-dns/, listens: 'systemListens', quits: 'processQuits', ports: [7979] },
  { name: 'coredns', image: /coredns/, listens: 'systemListens', quits: 'processQuits', ports: [53] },
  { name: 'kube-proxy', image: /kube-proxy/, listens: 'systemListens', quits: 'processQuits', ports: [10256] },
  {
    name: 'nginx',
    image: /^((docker\.io\/)?library\/|docker\.io\/|public\.ecr\.aws\/(docker\/library|nginx)\/)?nginx(:|@|$)/,
    listens: 'applicationListens',
    quits: 'nginxQuits',
    ports: [80],
    hasOwnPorts: true,
    pages: ['/', '/index.html', '/50x.html'],
  },
  { name: 'nginx', image: /(^|\/)nginx(:|@|$)/, listens: 'applicationListens', quits: 'nginxQuits', ports: [80] },
];
const other: Program = { name: 'other', listens: 'applicationListens', quits: 'applicationQuits', ports: [] };

/** A part of the cluster itself, whose program is known. */
export const isComponent = ({ name }: Pick<Program, 'name'>): boolean => name !== 'nginx' && name !== 'other';

/** The paths that the container has a page for; undefined if it answers every path. */
export const pagesOf = ({
  image,
  hasEveryPage,
}: Pick<Container, 'image' | 'hasEveryPage'>): readonly string[] | undefined =>
  hasEveryPage ? undefined : programOf(image).pages;

const known = new Map<string, Program>();
/** A cluster has few of them. The bound keeps a client that sends new ones all the time from filling the memory. */
const mostKept = 10_000;

/** The program in an image, recognised by the image's name. */
export function programOf(image: string): Program {
  const program = known.get(image) ?? programs.find((one) => one.image.test(image)) ?? other;
  if (known.size >= mostKept) known.clear();
  known.set(image, program);
  return program;
}
