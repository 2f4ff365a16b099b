import type { DelayName } from '../time/delays.ts';

/** What a program does that lives in an image: when it begins to listen, and how it goes. */
export interface Program {
  readonly name: 'nginx' | 'ingress-nginx' | 'karpenter' | 'external-dns' | 'coredns' | 'kube-proxy' | 'other';
  /** From the start of the container to the listening socket. */
  readonly listens: DelayName;
  /** From the stop signal to the exit, when nothing is in flight. */
  readonly quits: DelayName;
  /** What it listens on when the container names no port. */
  readonly ports: readonly number[];
  /** It listens on these, whatever ports the container names. */
  readonly hasOwnPorts?: true;
  /** The paths that it has a page for; absent where every path is answered. */
  readonly pages?: readonly string[];
}

const programs: readonly (Program & { readonly image: RegExp })[] = [
  {
    name: 'ingress-nginx',
    image: /ingress-nginx\/controller/,
    listens: 'systemListens',
    quits: 'nginxQuits',
    ports: [80, 443, 10254],
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
const other: Program = { name: 'other', listens: 'applicationListens', quits: 'processQuits', ports: [] };

const known = new Map<string, Program>();

/** The program in an image, by the image's name. */
export function programOf(image: string): Program {
  const program = known.get(image) ?? programs.find((one) => one.image.test(image)) ?? other;
  known.set(image, program);
  return program;
}
