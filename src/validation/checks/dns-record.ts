import type { DnsAnswer, Host, RecordType } from '../../host/host.ts';
import type { Finding } from '../finding.ts';
import { readWayIn } from '../observe/read-way-in.ts';
import { presence } from '../record/presence.ts';
import { entranceOf, serviceName, wayInOf } from '../settings.ts';
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
    if (ours.addresses.length === 0)
      return ours.told ? unresolved(run, assertion, ours.code) : untold(assertion, name, ours.code);
    const shared = ours.addresses.filter((address) => theirs.addresses.includes(address));
    const observed = `it resolves to ${ours.addresses.join(', ')}`;
    if (shared.length > 0) return asExpected(assertion, observed);
    if (theirs.untold !== undefined) return untold(assertion, theirs.untold.name, theirs.untold.code);
    if (theirs.addresses.length === 0)
      return notAsExpected(assertion, `${observed}; the load balancer has no address`, 'see ingress-address');
    return notAsExpected(
      assertion,
      `${observed}, and the load balancer is ${theirs.addresses.join(', ')}`,
      'the name belongs to something else, or a proxy stands before the load balancer: choose another validation.url',
    );
  },
};

/** No answer is not "no such name": nothing is known of it, and every probe would fail for this machine alone. */
function untold(assertion: Assertion, name: string, code: DnsAnswer['code']): Finding {
  return notAsExpected(
    assertion,
    `the resolver of this machine ${code === 'TIMEOUT' ? 'did not answer' : 'refused or failed to answer'} for ${name} (${code})`,
    'see /etc/resolv.conf and whether its first server can be reached, and ask again when it answers',
  );
}

/**
 * Before the first run there is no record, and phase 3 verifies that it is created. With an Ingress, external-dns
 * should have created it.
 */
async function unresolved({ site, settings }: CheckedRun, assertion: Assertion, code: string): Promise<Finding> {
  const { namespace } = settings;
  const { kind, name } = wayInOf(settings) ?? { kind: 'Service', name: serviceName(settings) };
  const found =
    kind === 'Service'
      ? await site.cluster.get('Service', { namespace, name })
      : await readWayIn(site.cluster, settings);
  if (found === undefined)
    return asExpected(assertion, `it does not resolve yet (${code}), and there is no ${kind} yet`);
  return notAsExpected(
    assertion,
    `it does not resolve (${code}), and ${kind} ${namespace}/${name} is there`,
    'external-dns is not syncing: see its logs, its policy, its domain filter, and who owns the TXT record',
  );
}

interface Balancer {
  readonly addresses: readonly string[];
  /** A name of it for which the resolver gave no answer. */
  readonly untold: { readonly name: string; readonly code: DnsAnswer['code'] } | undefined;
}

async function loadBalancerAddresses({ site, settings }: CheckedRun): Promise<Balancer> {
  const service = await site.cluster.get('Service', entranceOf(settings));
  const found = await Promise.all(
    (service?.status?.loadBalancer?.ingress ?? []).map(async ({ hostname, ip }) =>
      hostname === undefined
        ? { name: '', code: 'NOERROR' as const, told: true, addresses: [ip ?? ''] }
        : { name: hostname, ...(await addressesOf(site.host, hostname)) },
    ),
  );
  return { addresses: found.flatMap(({ addresses }) => addresses), untold: found.find(({ told }) => !told) };
}

interface Resolved {
  /** That of the answer that tells least. */
  readonly code: DnsAnswer['code'];
  /** Whether the resolver answered, though perhaps that there is no such name. */
  readonly told: boolean;
  readonly addresses: readonly string[];
}

async function addressesOf({ resolve }: Host, name: string): Promise<Resolved> {
  const types: readonly RecordType[] = ['A', 'AAAA'];
  const answers = await Promise.all(types.map((type) => resolve({ name, type })));
  const addresses = answers.flatMap(({ records }) =>
    records.filter(({ type }) => types.includes(type)).map(({ value }) => value),
  );
  const silent = answers.find(({ code }) => presence(code) === 'unknown');
  const code = silent?.code ?? answers[0]?.code ?? 'TIMEOUT';
  return { code, told: silent === undefined || addresses.length > 0, addresses };
}
