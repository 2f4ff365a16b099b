/** What those who run the cluster call its parts; the settings of the procedure say it. */
export interface Surroundings {
  /** The application's. */
  readonly namespace: string;
  /** The hosted zone. */
  readonly zone: string;
  readonly loadBalancerDomain: string;
  readonly nodeClass: string;
  readonly ingressController: Component & { readonly service: string };
  readonly dnsAutomation: Component;
  readonly autoscaler: Component;
}

/** Pods of a namespace with these labels, and maybe others. */
export interface Component {
  readonly namespace: string;
  readonly labels: Readonly<Record<string, string>>;
}

/** The specification's names, and those that the charts of the components give. */
export const usualSurroundings: Surroundings = {
  namespace: 'default',
  zone: 'example.com',
  loadBalancerDomain: 'amazonaws.com',
  nodeClass: 'default',
  ingressController: {
    namespace: 'ingress-nginx',
    labels: { 'app.kubernetes.io/component': 'controller' },
    service: 'ingress-nginx-controller',
  },
  dnsAutomation: { namespace: 'external-dns', labels: { 'app.kubernetes.io/name': 'external-dns' } },
  autoscaler: { namespace: 'kube-system', labels: { 'app.kubernetes.io/name': 'karpenter' } },
};
