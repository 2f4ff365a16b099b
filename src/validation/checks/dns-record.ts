import type { Host, RecordType } from '../../host/host.ts';
import type { Finding } from '../finding.ts';
import { type Assertion, asExpected, type Check, type CheckedRun, notAsExpected } from './check.ts';

/** The application's name resolves to the load balancer; without an Ingress it may not resolve yet. */
export const dnsRecord: Check = {
  name: 'dns-record',
  mandatory: true,
  async look(run) {
    const { site, settings } = run;
    const name = new URL(settings.url).hostname;
    const assertion = { id: 'dns-record', subject: name, expected: 'it resolves to the load balancer' };
    const [ours, theirs] = [await addressesOf(site.host, name), await loadBalancerAddresses(run)];
    if (ours.addresses.length === 0) return unresolved(run, assertion, ours.code);
    const shared = ours.addresses.filter((address) => theirs.includes(address));
    const observed = `it resolves to ${ours.addresses.join(', ')}`;
    if (shared.length > 0) return asExpected(assertion, observed);
    if (theirs.length === 0)
      return notAsExpected(assertion, `${observed}; the load balancer has no address`, 'see ingress-address');
    return notAsExpected(
      assertion,
      `${observed}, and the load balancer is ${theirs.join(', ')}`,
      'the name belongs to something else, or a proxy stands before the load balancer: choose another validation.url',
    );
  },
};

/** Before the first run there is no record, and phase 3 verifies that it is created. With an Ingress, external-dns should have created it. */
async function unresolved({ site, settings }: CheckedRun, assertion: Assertion, code: string): Promise<Finding> {
  const { namespace, application: name } = settings;
  if ((await site.cluster.get('Ingress', { namespace, name })) === undefined)
    return asExpected(assertion, `it does not resolve yet (${code}), and there is no Ingress yet`);
  return notAsExpected(
    assertion,
    `it does not resolve (${code}), and Ingress ${namespace}/${name} is there`,
    'external-dns is not syncing: see its logs, its policy, its domain filter, and who owns the TXT record',
  );
}

async function loadBalancerAddresses({ site, settings }: CheckedRun): Promise<readonly string[]> {
  const { namespace, service: name } = settings.ingressController;
  const service = await site.cluster.get('Service', { namespace, name });
  const found = (service?.status?.loadBalancer?.ingress ?? []).map(async ({ hostname, ip }) =>
    hostname === undefined ? [ip ?? ''] : (await addressesOf(site.host, hostname)).addresses,
  );
  return (await Promise.all(found)).flat();
}

async function addressesOf(
  { resolve }: Host,
  name: string,
): Promise<{ readonly code: string; readonly addresses: readonly string[] }> {
  const types: readonly RecordType[] = ['A', 'AAAA'];
  const answers = await Promise.all(types.map((type) => resolve({ name, type })));
  const addresses = answers.flatMap(({ records }) =>
    records.filter(({ type }) => types.includes(type)).map(({ value }) => value),
  );
  return { code: answers[0]?.code ?? '', addresses };
}
