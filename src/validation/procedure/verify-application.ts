import type { HttpRoute } from '../../cluster/gateway-api.ts';
import { poll } from '../../cluster/poll.ts';
import type { Node } from '../../cluster/resources.ts';
import { podsWanted } from '../../cluster/workload.ts';
import type { DnsAnswer } from '../../host/host.ts';
import { isExpected } from '../../settings/expected-status.ts';
import { readObstacles } from '../blocked/read-obstacles.ts';
import type { Expectation } from '../finding.ts';
import { harmWithinSeconds } from '../frame.ts';
import { appliesPool } from '../manifests/manifests.ts';
import { stateOf } from '../manifests/route-state.ts';
import { pollCluster, type Watching } from '../observe/poll-cluster.ts';
import { probedTarget, wantedPage } from '../observe/probed-target.ts';
import { readWayIn } from '../observe/read-way-in.ts';
import { applicationAtRest, type Snapshot } from '../observe/snapshot.ts';
import { presence } from '../record/presence.ts';
import { entranceOf, type Settings, serviceName, wayInOf } from '../settings.ts';

/**
 * Three times the sum of a new node's 60 to 120 s (docs/facts/aws.md, "A new instance") and an image pull's 10 to 30 s
 * (docs/facts/kubernetes.md, "The start of a pod").
 */
const runningWithinSeconds = 450;
/** Three times what a new load balancer takes (docs/facts/aws.md, "Network Load Balancer"). */
const balancerWithinSeconds = 540;
/** A controller writes a route's status within a second or two; one that a new Gateway needs first has to start. */
const routeWithinSeconds = 120;
/**
 * Three intervals of external-dns (60 s, docs/facts/dns.md, "external-dns"), and Route 53's negative TTL: the monitor
 * asked for the name before it existed, and resolvers keep that answer (900 s, docs/facts/aws.md, "Route 53").
 */
const recordWithinSeconds = 180 + 900;
/**
 * ingress-nginx learns of endpoints within 5 s (docs/facts/ingress-nginx.md, "Learning of endpoints"). Without a
 * readiness probe a pod is ready long before it answers, and a slow application needs a minute or two: the scenarios
 * show what that costs.
 */
const pageWithinSeconds = 180;

/**
 * The second half of phase 3 of 4.1, one expectation each: no disruption and no node termination, pods running, ingress
 * present, DNS record created, GET returns the welcome page. Takes up to half an hour when a sign is missing. Throws as
 * `poll` does.
 */
export async function verifyApplication(watching: Watching, before: Snapshot): Promise<readonly Expectation[]> {
  const signs = [
    await podsRunning(watching),
    await wayInPresent(watching),
    await recordCreated(watching),
    await welcomePage(watching),
  ];
  // Without an applied node pool, applying cannot have disturbed a node.
  const { settings } = watching;
  return appliesPool(settings) ? [...(await nodeHarm(watching, before)), ...signs] : signs;
}

async function podsRunning(watching: Watching): Promise<Expectation> {
  const { timeline, settings } = watching;
  watching.onWait?.('until the pods run and are ready', runningWithinSeconds);
  const atRest = (now: Snapshot): boolean => applicationAtRest(now, (now.workload && podsWanted(now.workload)) ?? 1);
  const met = await pollCluster(watching, runningWithinSeconds, atRest);
  const { pods } = timeline.now();
  const waiting = pods.filter(({ status }) => status?.phase !== 'Running').map(({ metadata }) => metadata.name);
  const row = { id: 'pods-running', expected: 'pods running' };
  if (met) return { ...row, outcome: 'met', observed: `${pods.length} pods ready`, advice: '' };
  const observed = `after ${runningWithinSeconds} s not running: ${waiting.join(', ') || 'no pod at all'}`;
  const [obstacle] = await readObstacles(watching.site.cluster, settings);
  if (obstacle !== undefined)
    return { ...row, outcome: 'not-met', ...obstacle, observed: `${observed}: ${obstacle.observed}` };
  return { ...row, outcome: 'not-met', observed, advice: `see kubectl -n ${settings.namespace} describe pods` };
}

/** The Ingress or the HTTPRoute; without one the load balancer of the application's Service. */
function wayInPresent(watching: Watching): Promise<Expectation> {
  const way = wayInOf(watching.settings);
  if (way === undefined) return balancerPresent(watching);
  return way.kind === 'Ingress' ? ingressPresent(watching, way.name) : routeServed(watching, way.name);
}

async function ingressPresent({ site: { cluster }, settings }: Watching, name: string): Promise<Expectation> {
  const { namespace } = settings;
  const ingress = await readWayIn(cluster, settings);
  return {
    id: 'ingress-present',
    expected: 'ingress present',
    outcome: ingress === undefined ? 'not-met' : 'met',
    observed:
      ingress === undefined ? `there is no Ingress ${namespace}/${name}` : `Ingress ${namespace}/${name} is there`,
  };
}

/** An HTTPRoute has no effect before a controller has accepted it. */
async function routeServed(watching: Watching, name: string): Promise<Expectation> {
  const { site, settings } = watching;
  const { namespace } = settings;
  let observed = `no HTTPRoute ${namespace}/${name}`;
  const met = await poll(watching, routeWithinSeconds, async () => {
    const route = (await readWayIn(site.cluster, settings)) as HttpRoute | undefined;
    if (route === undefined) return false;
    const state = stateOf(route, serviceName(settings));
    observed = state.observed;
    return state.isServed;
  });
  return {
    id: 'route-served',
    expected: 'HTTPRoute taken by its Gateway',
    outcome: met ? 'met' : 'not-met',
    observed: met ? observed : `${observed}, after ${routeWithinSeconds} s`,
    advice: met ? '' : `see kubectl -n ${namespace} describe httproute ${name}`,
  };
}

async function balancerPresent(watching: Watching): Promise<Expectation> {
  const { site, settings } = watching;
  const { namespace, name } = entranceOf(settings);
  watching.onWait?.(`until Service ${namespace}/${name} has an address`, balancerWithinSeconds);
  const met = await poll(watching, balancerWithinSeconds, async () => {
    const service = await site.cluster.get('Service', { namespace, name });
    return (service?.status?.loadBalancer?.ingress ?? []).length > 0;
  });
  return {
    id: 'load-balancer-present',
    expected: 'load balancer present',
    outcome: met ? 'met' : 'not-met',
    observed: met
      ? `Service ${namespace}/${name} has an address`
      : `Service ${namespace}/${name} has no address after ${balancerWithinSeconds} s`,
    advice: met ? '' : `see kubectl -n ${namespace} describe service ${name}`,
  };
}

async function recordCreated(watching: Watching): Promise<Expectation> {
  const { site, settings } = watching;
  const name = new URL(settings.url).hostname;
  let code: DnsAnswer['code'] = 'TIMEOUT';
  watching.onWait?.(`until ${name} resolves`, recordWithinSeconds);
  const met = await poll(watching, recordWithinSeconds, async () => {
    const answer = await site.host.resolve({ name, type: 'A' });
    code = answer.code;
    return answer.code === 'NOERROR' && answer.records.length > 0;
  });
  return {
    id: 'record-created',
    expected: 'DNS record created',
    outcome: met ? 'met' : 'not-met',
    observed: met ? `${name} resolves` : `${name} gives ${code} after ${recordWithinSeconds} s`,
    advice: met ? '' : recordAdvice(code),
  };
}

const recordAdvice = (code: DnsAnswer['code']): string =>
  presence(code) === 'unknown'
    ? 'the resolver of this machine gave no answer: see /etc/resolv.conf and whether its first server can be reached'
    : 'see the logs of external-dns: its policy, its domain filter, and the owner of the TXT record';

async function welcomePage(watching: Watching): Promise<Expectation> {
  const { site, settings } = watching;
  const { monitor } = settings;
  let observed = '';
  const target = await probedTarget(site.host, settings);
  watching.onWait?.(`for a good answer of ${settings.url}`, pageWithinSeconds);
  const met = await poll(watching, pageWithinSeconds, async () => {
    const { status, bodyMatched } = await site.host.probe(target, 'new', monitor.timeout);
    observed = `status ${status}${bodyMatched === false ? `, and the page does not ${wantedPage(monitor)}` : ''}`;
    return isExpected(status, monitor.expect) && bodyMatched !== false;
  });
  return { id: 'welcome-page', expected: 'GET returns the welcome page', outcome: met ? 'met' : 'not-met', observed };
}

async function nodeHarm(watching: Watching, before: Snapshot): Promise<readonly Expectation[]> {
  const { site, settings, timeline } = watching;
  const { clock } = site.host;
  const harmed = new Map<string, Node>();
  watching.onWait?.('to see whether applying disturbs a node', harmWithinSeconds);
  const endsAt = clock.monotonicSeconds() + harmWithinSeconds;
  await poll(watching, harmWithinSeconds * 2, () => {
    for (const node of harmedNodes(before, timeline.now())) harmed.set(node.metadata.name, node);
    return clock.monotonicSeconds() >= endsAt;
  });
  // Read anew, because the watch may have missed a change.
  const nodes = await site.cluster.list('Node');
  for (const node of harmedNodes(before, { nodes })) harmed.set(node.metadata.name, node);
  return harmExpectations([...harmed.values()], settings, harmWithinSeconds);
}

/** The nodes of before that are gone, being deleted, or tainted for disruption by the autoscaler. */
export function harmedNodes(before: Pick<Snapshot, 'nodes'>, now: Pick<Snapshot, 'nodes'>): readonly Node[] {
  const nodes = new Map(now.nodes.map((node) => [node.metadata.uid, node]));
  return before.nodes.filter(({ metadata }) => {
    const node = nodes.get(metadata.uid);
    const disrupted = node?.spec?.taints?.some(({ key }) => key === 'karpenter.sh/disrupted');
    return node === undefined || node.metadata.deletionTimestamp !== undefined || disrupted === true;
  });
}

/**
 * "Nodes restart after applying the node pool: configuration error" (section 7). Nodes of other NodePools come and go
 * in any cluster; they are noted and decide nothing.
 */
export function harmExpectations(
  harmed: readonly Node[],
  settings: Settings,
  watchedSeconds: number,
): readonly Expectation[] {
  const namesOf = (isOther: boolean) =>
    harmed.filter((node) => isOfAnotherPool(node, settings) === isOther).map(({ metadata }) => metadata.name);
  const [ours, others] = [namesOf(false).join(', '), namesOf(true).join(', ')];
  const noted: Expectation = {
    id: 'other-nodes-disrupted',
    expected: 'what went on in other pools meanwhile',
    outcome: 'noted',
    observed: `${others} disrupted or gone`,
    advice: 'see the events of these nodes: another pool is consolidated, or interrupted, beside this run',
  };
  return [
    {
      id: 'no-disruption',
      expected: 'no disruption and no node termination after applying the node pool',
      outcome: ours === '' ? 'met' : 'not-met',
      observed: ours === '' ? `none in ${watchedSeconds} s` : `${ours} disrupted or gone`,
      advice: ours === '' ? '' : 'nodes that restart after applying the node pool are a configuration error',
    },
    ...(others === '' ? [] : [noted]),
  ];
}

/** A node without the label of a pool counts as ours: it is not known to be another pool's. */
function isOfAnotherPool({ metadata: { labels } }: Node, { nodePool }: Settings): boolean {
  const pool = labels?.['karpenter.sh/nodepool'];
  return pool !== undefined && pool !== nodePool.name;
}
