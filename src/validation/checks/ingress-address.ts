import { isReady } from '../../cluster/pods.ts';
import type { Service } from '../../cluster/resources.ts';
import { asExpected, type Check, type CheckedRun, notAsExpected } from './check.ts';

/**
 * "Must be of type LoadBalancer with an external address under the cloud load-balancer domain; otherwise stop." The pods that the run
 * takes for the ingress controller's must be those that the Service sends to: the death of any others would show nothing.
 */
export const ingressAddress: Check = {
  name: 'ingress-address',
  mandatory: true,
  async look(run) {
    const { site, settings } = run;
    const { ingressController, loadBalancerDomain } = settings;
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
    if (addresses.some((address) => isUnder(address, loadBalancerDomain))) {
      const aside = await readyPodsAside(run, found);
      if (aside.length === 0) return asExpected(assertion, observed);
      return notAsExpected(
        assertion,
        `${observed}; it does not send to ${aside.join(', ')}`,
        `set validation.ingressController.selector to labels of the pods behind this Service: '${ingressController.selector}' chooses others`,
      );
    }
    return notAsExpected(
      assertion,
      observed,
      addresses.length === 0
        ? "look at the Service's events: subnets without tags and a missing load balancer controller leave it pending"
        : "set validation.loadBalancerDomain to your cloud's domain, or to the address where the cloud gives only one",
    );
  },
};

/** The ready pods of the controller's selector that the Service does not select; none of a Service whose endpoints others write. */
async function readyPodsAside({ site, settings }: CheckedRun, { spec }: Service): Promise<readonly string[]> {
  const { namespace, selector } = settings.ingressController;
  const wanted = Object.entries(spec.selector ?? {});
  const pods = await site.cluster.list('Pod', { namespace, labelSelector: selector });
  return pods
    .filter((pod) => isReady(pod) && wanted.some(([label, value]) => pod.metadata.labels?.[label] !== value))
    .map(({ metadata }) => metadata.name);
}

const isUnder = (address: string, domain: string): boolean => address === domain || address.endsWith(`.${domain}`);
