import { poll } from '../../cluster/poll.ts';
import type { Node } from '../../cluster/resources.ts';
import type { Expectation } from '../finding.ts';
import { applicationAtRest, readNow, type Snapshot } from '../observe/snapshot.ts';
import type { Settings } from '../settings.ts';
import type { Run } from './run.ts';

/** A new node takes 60 to 120 s on EC2 and an image pull 10 to 30 s (facts 4.0, 4.1); three times their sum. */
const runningWithinSeconds = 450;
/**
 * external-dns looks once in 60 s (facts 3.7); three times that. The monitor asked before, and a resolver keeps "no such name" for
 * the zone's negative TTL: 900 s in Route 53 unless set (facts 4.0).
 */
const recordWithinSeconds = 180 + 900;
/**
 * An ingress controller learns of endpoints within 5 s (facts 3.8); without a readiness probe a pod counts as running long before
 * it answers, and a slow application takes a minute or two to start. That this is so is for the scenarios to show.
 */
const pageWithinSeconds = 180;
/** Two polls of Karpenter and its validation delay take 35 s (facts 3.3): a disruption that applying caused shows by then. */
const quietSeconds = 60;

/** Phase 3 of 4.1: the five signs that the pool and the application are there and that applying them harmed no node. */
export async function verifyApplication(run: Run, before: Snapshot): Promise<readonly Expectation[]> {
  const running = await podsRunning(run);
  const seen = [running, await ingressPresent(run), await recordCreated(run), await welcomePage(run)];
  return [...(await nodeHarm(run, before)), ...seen];
}

async function podsRunning(run: Run): Promise<Expectation> {
  const { cluster } = run.site;
  const atRest = (now: Snapshot): boolean => applicationAtRest(now, now.deployment?.spec.replicas ?? 1);
  const met = await poll(
    run,
    runningWithinSeconds,
    async () => atRest(run.timeline.now()) && atRest(await readNow(cluster, run.settings)),
  );
  const { pods } = run.timeline.now();
  const waiting = pods.filter(({ status }) => status?.phase !== 'Running').map(({ metadata }) => metadata.name);
  return {
    id: 'pods-running',
    expected: 'pods running',
    outcome: met ? 'met' : 'not-met',
    observed: met
      ? `${pods.length} pods ready`
      : `after ${runningWithinSeconds} s not running: ${waiting.join(', ') || 'no pod at all'}`,
    advice: met ? '' : `see kubectl -n ${run.settings.namespace} describe pods`,
  };
}

async function ingressPresent({ site, settings: { namespace, application } }: Run): Promise<Expectation> {
  const ingress = await site.cluster.get('Ingress', { namespace, name: application });
  return {
    id: 'ingress-present',
    expected: 'ingress present',
    outcome: ingress === undefined ? 'not-met' : 'met',
    observed: ingress === undefined ? `no Ingress ${namespace}/${application}` : 'it is',
  };
}

async function recordCreated(run: Run): Promise<Expectation> {
  const name = new URL(run.settings.url).hostname;
  let code = '';
  const met = await poll(run, recordWithinSeconds, async () => {
    const answer = await run.site.host.resolve({ name, type: 'A' });
    code = answer.code;
    return answer.code === 'NOERROR' && answer.records.length > 0;
  });
  return {
    id: 'record-created',
    expected: 'DNS record created',
    outcome: met ? 'met' : 'not-met',
    observed: met ? `${name} resolves` : `${name} gives ${code} after ${recordWithinSeconds} s`,
    advice: met ? '' : 'see the logs of external-dns: its policy, its domain filter, and the owner of the TXT record',
  };
}

async function welcomePage(run: Run): Promise<Expectation> {
  const { url, monitor } = run.settings;
  let observed = '';
  const target = { url, ...(monitor.body === null ? {} : { body: monitor.body }) };
  const met = await poll(run, pageWithinSeconds, async () => {
    const { status, bodyMatched } = await run.site.host.probe(target, 'new', monitor.timeout);
    observed = `status ${status}${bodyMatched === false ? `, and the page does not begin with '${monitor.body}'` : ''}`;
    return status === monitor.expect && bodyMatched !== false;
  });
  return { id: 'welcome-page', expected: 'GET returns the welcome page', outcome: met ? 'met' : 'not-met', observed };
}

async function nodeHarm(run: Run, before: Snapshot): Promise<readonly Expectation[]> {
  const { clock } = run.site.host;
  const harmed = new Map<string, Node>();
  const endsAt = clock.monotonicSeconds() + quietSeconds;
  await poll(run, quietSeconds * 2, () => {
    for (const node of harmedNodes(before, run.timeline.now())) harmed.set(node.metadata.name, node);
    return clock.monotonicSeconds() >= endsAt;
  });
  // The watch may have fallen silent meanwhile.
  const nodes = await run.site.cluster.list('Node');
  for (const node of harmedNodes(before, { nodes })) harmed.set(node.metadata.name, node);
  return harmExpectations([...harmed.values()], run.settings, quietSeconds);
}

/** Pure. The nodes of before that are gone, on their way out, or tainted by the autoscaler. */
export function harmedNodes(before: Pick<Snapshot, 'nodes'>, now: Pick<Snapshot, 'nodes'>): readonly Node[] {
  const nodes = new Map(now.nodes.map((node) => [node.metadata.uid, node]));
  return before.nodes.filter(({ metadata }) => {
    const node = nodes.get(metadata.uid);
    const disrupted = node?.spec?.taints?.some(({ key }) => key === 'karpenter.sh/disrupted');
    return node === undefined || node.metadata.deletionTimestamp !== undefined || disrupted === true;
  });
}

/**
 * Pure. "Nodes restart after applying the node pool: configuration error" (section 7): those of other NodePools
 * come and go by themselves in any cluster, and are told.
 */
export function harmExpectations(
  harmed: readonly Node[],
  settings: Settings,
  quietSeconds: number,
): readonly Expectation[] {
  const namesOf = (ours: boolean) =>
    harmed.filter((node) => isOfAnotherPool(node, settings) !== ours).map(({ metadata }) => metadata.name);
  const [ours, others] = [namesOf(true).join(', '), namesOf(false).join(', ')];
  const told: Expectation = {
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
      observed: ours === '' ? `none in ${quietSeconds} s` : `${ours} disrupted or gone`,
      advice: ours === '' ? '' : 'nodes that restart after applying the node pool are a configuration error',
    },
    ...(others === '' ? [] : [told]),
  ];
}

export function isOfAnotherPool({ metadata: { labels } }: Node, { nodePool }: Settings): boolean {
  const pool = labels?.['karpenter.sh/nodepool'];
  return pool !== undefined && pool !== nodePool.name;
}
