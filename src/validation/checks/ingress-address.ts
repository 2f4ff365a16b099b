import { isReady } from '../../cluster/pods.ts';
import type { Service } from '../../cluster/resources.ts';
import { applicationSelector } from '../observe/snapshot.ts';
import { appliesApplication, entranceOf, hasIngress, type Settings } from '../settings.ts';
import { type Assertion, asExpected, type Check, type CheckedRun, notAsExpected } from './check.ts';

/**
 * "Must be of type LoadBalancer with an external address under the cloud load-balancer domain; otherwise stop." The
 * pods that the run takes for the ingress controller's must be those that the Service sends to: the death of any others
 * would show nothing.
 */
export const ingressAddress: Check = {
  name: 'ingress-address',
  mandatory: true,
  async look(run) {
    const { site, settings } = run;
    const { loadBalancerDomain } = settings;
    const { namespace, name } = entranceOf(settings);
    const behind = behindIt(settings);
    const assertion = {
      id: 'ingress-address',
      subject: `Service ${namespace}/${name}`,
      expected: `type LoadBalancer with an external address under ${loadBalancerDomain}`,
    };
    const found = await site.cluster.get('Service', { namespace, name });
    if (found === undefined) return absent(assertion, settings, behind);
    const type = found.spec.type ?? 'ClusterIP';
    const addresses = (found.status?.loadBalancer?.ingress ?? []).map(({ hostname, ip }) => hostname ?? ip ?? '');
    const { loadBalancerClass } = found.spec;
    const ofClass = loadBalancerClass === undefined ? '' : ` of class ${loadBalancerClass}`;
    const observed = `type ${type}${ofClass}, ${addresses.length === 0 ? 'no external address' : `address ${addresses.join(', ')}`}`;
    if (type !== 'LoadBalancer') return notAsExpected(assertion, observed, "set the Service's type to LoadBalancer");
    if (addresses.some((address) => isUnder(address, loadBalancerDomain))) {
      const aside = await readyPodsAside(run, found, behind);
      if (aside.length === 0) return asExpected(assertion, observed);
      return notAsExpected(
        assertion,
        `${observed}; it does not send to ${aside.join(', ')}`,
        `set ${behind.setting} to labels of the pods behind this Service: '${behind.selector}' chooses others`,
      );
    }
    return notAsExpected(
      assertion,
      observed,
      addresses.length === 0
        ? "look at the Service's events: subnets without tags and a load balancer controller that is missing or of another class leave it pending"
        : "set validation.loadBalancerDomain to your cloud's domain, or to the address where the cloud gives only one",
    );
  },
};

/** The Service of the application's own may be among what phase 3 applies. */
const absent = (assertion: Assertion, settings: Settings, { nameIt }: Behind) =>
  !hasIngress(settings) && appliesApplication(settings)
    ? asExpected(assertion, 'phase 3 applies it')
    : notAsExpected(assertion, 'there is no such Service', nameIt);

/** The pods that the run takes for those behind the load balancer. */
interface Behind {
  readonly namespace: string;
  readonly selector: string;
  /** What selects them. */
  readonly setting: string;
  /** What to do where there is no such Service. */
  readonly nameIt: string;
}

const behindIt = (settings: Settings): Behind =>
  hasIngress(settings)
    ? {
        ...settings.ingressController,
        setting: 'validation.ingressController.selector',
        nameIt: "name the controller's Service in validation.ingressController",
      }
    : {
        namespace: settings.namespace,
        selector: applicationSelector(settings),
        setting: 'validation.applicationSelector',
        nameIt: "name the application's Service in validation.service",
      };

/** The ready pods of that selector that the Service does not select; none of a Service whose endpoints others write. */
async function readyPodsAside(
  { site }: CheckedRun,
  { spec }: Service,
  { namespace, selector }: Behind,
): Promise<readonly string[]> {
  const wanted = Object.entries(spec.selector ?? {});
  const pods = await site.cluster.list('Pod', { namespace, labelSelector: selector });
  return pods
    .filter((pod) => isReady(pod) && wanted.some(([label, value]) => pod.metadata.labels?.[label] !== value))
    .map(({ metadata }) => metadata.name);
}

const isUnder = (address: string, domain: string): boolean => address === domain || address.endsWith(`.${domain}`);
