import type { Check } from './index.ts';

/** "Must be of type LoadBalancer with an external address under the cloud load-balancer domain; otherwise stop." */
export const ingressAddress: Check = {
  name: 'ingress-address',
  mandatory: true,
  async look({ cluster }, { ingressController, loadBalancerDomain }) {
    const { namespace, service } = ingressController;
    const found = await cluster.get('Service', { namespace, name: service });
    const type = found?.spec.type ?? 'ClusterIP';
    const addresses = (found?.status?.loadBalancer?.ingress ?? []).map(({ hostname, ip }) => hostname ?? ip ?? '');
    const good = type === 'LoadBalancer' && addresses.some((address) => address.endsWith(`.${loadBalancerDomain}`));
    const observed = `type ${type}, ${addresses.length === 0 ? 'no external address' : `address ${addresses.join(', ')}`}`;
    return {
      id: 'ingress-address',
      severity: good ? 'info' : 'error',
      subject: `Service ${namespace}/${service}`,
      expected: `type LoadBalancer with an external address under ${loadBalancerDomain}`,
      observed: found === undefined ? 'there is no such Service' : observed,
      advice: good ? '' : adviceFor(found === undefined, type),
    };
  },
};

function adviceFor(missing: boolean, type: string): string {
  if (missing) return "name the controller's Service in validation.ingressController";
  if (type !== 'LoadBalancer') return "set the Service's type to LoadBalancer";
  return "look at the Service's events: subnets without tags and a missing load balancer controller leave it pending";
}
