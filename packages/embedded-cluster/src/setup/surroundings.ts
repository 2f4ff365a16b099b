/** What leads visitors in, of those with proxies in the cluster. */
export type FrontDoorName = 'ingress-nginx' | 'envoy-gateway' | 'traefik';

/** The names of the cluster's parts, which the operator chooses. */
export interface Surroundings {
  /** The namespace of the application. */
  readonly namespace: string;
  /** The DNS name of the hosted zone. */
  readonly zone: string;
  readonly loadBalancerDomain: string;
  readonly nodeClass: string;
  /** The zones of the region; at least one. */
  readonly zones: readonly [string, ...string[]];
  readonly ingressController: Component & { readonly service: string };
  /** What the ingress controller is. */
  readonly frontDoor: FrontDoorName;
  /**
   * How the ingress controller is installed: by its own manifest for AWS (`official`), or by that manifest changed so
   * that it causes no downtime (`mended`).
   */
  readonly ingress: 'mended' | 'official';
  readonly dnsAutomation: Component;
  readonly autoscaler: Component;
  /** Whether Karpenter learns of terminating instances at once, through an interruption queue. */
  readonly interruptionQueue: boolean;
  /** The images that no registry has: names, with `*` for any characters. */
  readonly missingImages: readonly string[];
  /** From the launch of a machine to its Ready node, seconds; undefined: by the delays of `delays.ts`. */
  readonly nodeReadySeconds?: number | undefined;
  /** The labels of the nodes of a managed node group, where there is no Karpenter that launches them. */
  readonly nodeGroup?: Readonly<Record<string, string>>;
}

/** The pods of a namespace that have at least these labels. */
export interface Component {
  readonly namespace: string;
  readonly labels: Readonly<Record<string, string>>;
}

/** The defaults of the components' Helm charts, and names such as their documentation has them. */
export const usualSurroundings: Surroundings = {
  namespace: 'default',
  zone: 'example.com',
  loadBalancerDomain: 'amazonaws.com',
  nodeClass: 'default',
  zones: ['us-east-1a', 'us-east-1b', 'us-east-1c'],
  ingressController: {
    namespace: 'ingress-nginx',
    labels: { 'app.kubernetes.io/component': 'controller' },
    service: 'ingress-nginx-controller',
  },
  frontDoor: 'ingress-nginx',
  ingress: 'mended',
  dnsAutomation: { namespace: 'external-dns', labels: { 'app.kubernetes.io/name': 'external-dns' } },
  autoscaler: { namespace: 'kube-system', labels: { 'app.kubernetes.io/name': 'karpenter' } },
  interruptionQueue: false,
  missingImages: [],
};

/** `us-east-1` of `us-east-1a`. */
export const regionOf = ({ zones: [first] }: Pick<Surroundings, 'zones'>): string => first.replace(/[a-z]$/, '');
