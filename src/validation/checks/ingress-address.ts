import { asExpected, type Check, notAsExpected } from './check.ts';

/** "Must be of type LoadBalancer with an external address under the cloud load-balancer domain; otherwise stop." */
export const ingressAddress: Check = {
  name: 'ingress-address',
  mandatory: true,
  async look({ site, settings: { ingressController, loadBalancerDomain } }) {
    const { namespace, service } = ingressController;
    const assertion = {
      id: 'ingress-address',
      subject: `Service ${namespace}/${service}`,
      expected: `type LoadBalancer with an external address under ${loadBalancerDomain}`,
    };
    const found = await site.cluster.get('Service', { namespace, name: service });
    if (found === undefined)
      return notAsExpected(
        assertion,
        'there is no such Service',
        "name the controller's Service in validation.ingressController",
      );
    const type = found.spec.type ?? 'ClusterIP';
    const addresses = (found.status?.loadBalancer?.ingress ?? []).map(({ hostname, ip }) => hostname ?? ip ?? '');
    const observed = `type ${type}, ${addresses.length === 0 ? 'no external address' : `address ${addresses.join(', ')}`}`;
    if (type !== 'LoadBalancer') return notAsExpected(assertion, observed, "set the Service's type to LoadBalancer");
    if (addresses.some((address) => isUnder(address, loadBalancerDomain))) return asExpected(assertion, observed);
    return notAsExpected(
      assertion,
      observed,
      addresses.length === 0
        ? "look at the Service's events: subnets without tags and a missing load balancer controller leave it pending"
        : "set validation.loadBalancerDomain to your cloud's domain, or to the address where the cloud gives only one",
    );
  },
};

const isUnder = (address: string, domain: string): boolean => address === domain || address.endsWith(`.${domain}`);
