import assert from 'node:assert/strict';
import { test } from 'node:test';
import { anotherRun } from '../../../src/validation/checks/another-run.ts';
import { autoscaler } from '../../../src/validation/checks/autoscaler.ts';
import { autoscalerLeader } from '../../../src/validation/checks/autoscaler-leader.ts';
import { clocks } from '../../../src/validation/checks/clocks.ts';
import { dnsAutomation } from '../../../src/validation/checks/dns-automation.ts';
import { dnsRecord } from '../../../src/validation/checks/dns-record.ts';
import { checks } from '../../../src/validation/checks/index.ts';
import { ingressAddress } from '../../../src/validation/checks/ingress-address.ts';
import { nodeClaims } from '../../../src/validation/checks/node-claims.ts';
import { nodeClass } from '../../../src/validation/checks/node-class.ts';
import { nodePools } from '../../../src/validation/checks/node-pools.ts';
import { nodesAtRest } from '../../../src/validation/checks/nodes-at-rest.ts';
import { permissions } from '../../../src/validation/checks/permissions.ts';
import { preCheck } from '../../../src/validation/procedure/pre-check.ts';
import { apiSite } from '../../support/api-site.ts';
import { about, fine, looked, wrong } from '../../support/checked.ts';
import { settings } from '../../support/measured.ts';

const service = (spec: object, ingress?: readonly object[]) => ({
  apiVersion: 'v1',
  kind: 'Service',
  metadata: { namespace: 'ingress-nginx', name: 'ingress-nginx-controller' },
  spec: { ports: [{ port: 80 }], ...spec },
  ...(ingress && { status: { loadBalancer: { ingress } } }),
});
const balanced = service({ type: 'LoadBalancer' }, [{ hostname: 'k8s-1.elb.us-east-1.amazonaws.com' }]);

test('the ingress controller’s Service has an external address under the cloud’s domain', async () => {
  const name = /Service ingress-nginx\/ingress-nginx-controller/;
  await apiSite(async (at) => {
    await wrong(ingressAddress, at, name, /there is no such Service/);
    await at.put(balanced);
    await fine(ingressAddress, at, /type LoadBalancer, address k8s-1\.elb/);
    await wrong(ingressAddress, at, name, /address k8s-1/, { loadBalancerDomain: 'azure.com' });
    await wrong(ingressAddress, at, name, /address k8s-1/, { loadBalancerDomain: 'aws.com' });
  });
  await apiSite(async (at) => {
    await at.put(service({ type: 'ClusterIP' }));
    await wrong(ingressAddress, at, name, /type ClusterIP, no external address/);
  });
  await apiSite(async (at) => {
    await at.put(service({ type: 'LoadBalancer' }));
    await wrong(ingressAddress, at, name, /type LoadBalancer, no external address/);
  });
  await apiSite(async (at) => {
    await at.put(service({ type: 'LoadBalancer' }, [{ ip: '203.0.113.7' }]));
    await wrong(ingressAddress, at, name, /address 203\.0\.113\.7/);
    await fine(ingressAddress, at, /address 203/, { loadBalancerDomain: '203.0.113.7' });
  });
});

const pod = (
  namespace: string,
  name: string,
  app: string,
  containerStatuses: readonly object[] = [],
  ready = true,
) => ({
  apiVersion: 'v1',
  kind: 'Pod',
  metadata: { namespace, name, labels: { 'app.kubernetes.io/name': app } },
  spec: { containers: [{ name: 'main', image: 'x:1' }] },
  status: { conditions: [{ type: 'Ready', status: ready ? 'True' : 'False' }], containerStatuses },
});

test('the DNS automation’s and the autoscaler’s pods run', async () => {
  for (const [check, namespace, app] of [
    [dnsAutomation, 'external-dns', 'external-dns'],
    [autoscaler, 'kube-system', 'karpenter'],
  ] as const) {
    await apiSite(async (at) => {
      await wrong(check, at, new RegExp(`name=${app} in namespace ${namespace}`), /no pod/);
      await at.put(pod(namespace, 'one', app));
      await fine(check, at, /1 of 1 ready/);
      const waiting = { name: 'main', ready: false, state: { waiting: { reason: 'ImagePullBackOff' } } };
      await at.put(pod(namespace, 'two', app, [waiting], false));
      await wrong(check, at, /two/, /1 of 2 ready; not ready: two \(ImagePullBackOff\)/);
      const evicted = pod(namespace, 'three', app, [], false);
      await at.put({ ...evicted, status: { ...evicted.status, phase: 'Failed' } });
      await wrong(check, at, /two/, /1 of 2 ready; not ready: two \(ImagePullBackOff\)$/);
    });
  }
});

test('a component that is ready between two crashes is not healthy', () =>
  apiSite(async (at) => {
    const ended = (seconds: number) => ({
      lastState: {
        terminated: {
          exitCode: 1,
          reason: 'Error',
          finishedAt: new Date(at.it.clock.wallAt() - seconds * 1000).toISOString(),
        },
      },
    });
    await at.put(pod('external-dns', 'calm', 'external-dns', [{ name: 'main', ready: true, ...ended(3600) }]));
    await fine(dnsAutomation, at, /1 of 1 ready/);
    await at.put(pod('external-dns', 'restless', 'external-dns', [{ name: 'main', ready: true, ...ended(30) }]));
    await wrong(dnsAutomation, at, /restless/, /2 of 2 ready; restarting: restless \(Error\)/);
  }));

test('an autoscaler pod leads', () =>
  apiSite(async (at) => {
    await fine(autoscalerLeader, at, /no such Lease/);
    const renewTime = new Date(at.it.clock.wallAt()).toISOString();
    await at.put({
      apiVersion: 'coordination.k8s.io/v1',
      kind: 'Lease',
      metadata: { namespace: 'kube-system', name: 'karpenter-leader-election' },
      spec: { holderIdentity: 'karpenter-1', renewTime, leaseDurationSeconds: 15 },
    });
    await fine(autoscalerLeader, at, /karpenter-1 renewed it 0 s ago/);
    await at.it.clock.sleep(40);
    await wrong(autoscalerLeader, at, /karpenter-leader-election/, /karpenter-1 renewed it 40 s ago/);
  }));

const pool = (conditions: readonly object[], annotations: object = {}) => ({
  apiVersion: 'karpenter.sh/v1',
  kind: 'NodePool',
  metadata: { name: 'general-purpose-arm', annotations },
  spec: {
    template: { spec: { nodeClassRef: { group: 'g', kind: 'K', name: 'n' }, requirements: [] } },
  },
  status: { conditions },
});
const ready = { type: 'Ready', status: 'True', observedGeneration: 1 };
const unknown = { type: 'NodeRegistrationHealthy', status: 'Unknown', reason: 'AwaitingReconciliation' };

test('every NodePool is Ready of the generation that is there; registration may be unknown, not false', async () => {
  const verdicts: readonly (readonly [object, RegExp])[] = [
    [pool([]), /general-purpose-arm has Ready absent/],
    [
      pool([{ type: 'Ready', status: 'False', message: 'NodeClassReady=False' }]),
      /has Ready False NodeClassReady=False/,
    ],
    [pool([{ ...ready, observedGeneration: 0 }]), /Ready is of generation 0, and 1 is there/],
    [pool([ready, { ...unknown, status: 'False', message: 'no kubelet' }]), /nodes of .* do not register: no kubelet/],
    [pool([ready, { type: 'ValidationSucceeded', status: 'False', message: 'bad' }]), /is not valid: bad/],
    [pool([ready], { 'karpenter.sh/nodepool-hash-version': 'v4' }), /hash-version v4, and this procedure knows v3/],
  ];
  for (const [object, observed] of verdicts)
    await apiSite(async (at) => {
      await at.put(object);
      await wrong(nodePools, at, /NodePool general-purpose-arm/, observed);
    });
  await apiSite(async (at) => {
    await fine(nodePools, at, /0 NodePools/);
    await wrong(nodePools, at, /NodePools/, /there is no NodePool general-purpose-arm/, { manifests: 'none' });
    await at.put(pool([ready, unknown], { 'karpenter.sh/nodepool-hash-version': 'v3' }));
    await fine(nodePools, at, /1 NodePools, none in trouble/);
  });
});

const nodeClassOf = (status: string) => ({
  apiVersion: 'karpenter.k8s.aws/v1',
  kind: 'EC2NodeClass',
  metadata: { name: 'default' },
  status: { conditions: [{ type: 'Ready', status, message: 'SubnetsNotFound' }] },
});

test('the node class is there and Ready', async () => {
  await apiSite(async (at) => {
    await wrong(nodeClass, at, /EC2NodeClass default/, /there is none/);
    await at.put(nodeClassOf('False'));
    await wrong(nodeClass, at, /EC2NodeClass default/, /Ready False: SubnetsNotFound/);
    const nodePool = {
      ...settings.nodePool,
      nodeClass: { group: 'karpenter.azure.com', kind: 'AKSNodeClass', name: 'x' },
    };
    await fine(nodeClass, at, /not a kind that holdfast reads/, { nodePool });
  });
  await apiSite(async (at) => {
    await at.put(nodeClassOf('True'));
    await fine(nodeClass, at, /Ready True/);
  });
});

const claim = (name: string, conditions: readonly object[], expireAfter = 'Never') => ({
  apiVersion: 'karpenter.sh/v1',
  kind: 'NodeClaim',
  metadata: {
    name,
    labels: { 'karpenter.sh/nodepool': 'general-purpose-arm' },
    finalizers: ['karpenter.sh/termination'],
  },
  spec: { nodeClassRef: { group: 'g', kind: 'K', name: 'n' }, requirements: [], expireAfter },
  status: { conditions },
});
const registered = { type: 'Registered', status: 'True' };

test('no NodeClaim is drifted, stuck, leaving, or expiring during the run', () =>
  apiSite(async (at) => {
    await at.put(claim('good', [registered], '720h'), claim('other', [registered]));
    await at.cluster.patch('NodeClaim', { name: 'other' }, { type: 'merge', value: { metadata: { labels: null } } });
    await fine(nodeClaims, at, /1 NodeClaims, none in trouble/);
    await at.put(claim('drifted', [registered, { type: 'Drifted', status: 'True', reason: 'AMIDrift' }]));
    await wrong(nodeClaims, at, /NodeClaims of general-purpose-arm/, /^drifted is drifted \(AMIDrift\)$/);
    await at.put(claim('stuck', []), claim('brief', [registered], '10m'), claim('leaving', [registered]));
    await at.cluster.delete('NodeClaim', { name: 'leaving' });
    await wrong(nodeClaims, at, /leaving is being deleted/, /brief expires in 10 min/);
    await at.it.clock.sleep(1000);
    await wrong(nodeClaims, at, /stuck/, /stuck has not registered for 1000 s/);
  }));

const node = (name: string, spec: object = {}) => ({ apiVersion: 'v1', kind: 'Node', metadata: { name }, spec });

test('no other drain is under way', () =>
  apiSite(async (at) => {
    await at.put(node('calm'));
    await fine(nodesAtRest, at, /1 nodes, none on its way out/);
    await at.put(
      node('cordoned', { unschedulable: true }),
      node('disrupted', { taints: [{ key: 'karpenter.sh/disrupted', effect: 'NoSchedule' }] }),
    );
    await wrong(nodesAtRest, at, /cordoned is cordoned/, /disrupted is being disrupted by the autoscaler/);
  }));

const ingress = {
  apiVersion: 'networking.k8s.io/v1',
  kind: 'Ingress',
  metadata: { namespace: 'default', name: 'nginx-test' },
  spec: { defaultBackend: { service: { name: 'nginx-test', port: { number: 80 } } } },
};

test('the record resolves to the load balancer, or to nothing before the Ingress is there', () =>
  apiSite(async (at) => {
    await at.put(balanced);
    at.names.set('k8s-1.elb.us-east-1.amazonaws.com', ['192.0.2.1', '192.0.2.2']);
    await fine(dnsRecord, at, /does not resolve yet \(NXDOMAIN\), and there is no Ingress yet/);
    await at.put(ingress);
    await wrong(
      dnsRecord,
      at,
      /app\.example\.com/,
      /does not resolve \(NXDOMAIN\), and Ingress default\/nginx-test is there/,
    );
    at.names.set('app.example.com', ['198.51.100.9']);
    await wrong(
      dnsRecord,
      at,
      /app\.example\.com/,
      /resolves to 198\.51\.100\.9, and the load balancer is 192\.0\.2\.1/,
    );
    at.names.set('app.example.com', ['192.0.2.2']);
    await fine(dnsRecord, at, /it resolves to 192\.0\.2\.2/);
  }));

test('the clocks agree', () =>
  apiSite(async (at) => {
    await fine(clocks, at, /± 0\.5 s/);
    const date = (seconds: number) => new Date(at.it.clock.wallAt() + seconds * 1000).toUTCString();
    at.it.fault = () => ({ kind: 'answer', status: 200, headers: { date: date(5) } });
    await wrong(clocks, at, /clock/, /5\.\d s ± 0\.5 s/);
    at.it.fault = () => ({ kind: 'answer', status: 200, headers: { date: date(-5) } });
    assert.match((await looked(clocks, at)).advice, /this machine is ahead/);
  }));

test('what is not allowed is named, what undoes first', async () => {
  await apiSite((at) => fine(permissions, at, /all there/));
  await apiSite(
    (at) =>
      wrong(
        permissions,
        at,
        /permissions/,
        /^not allowed: patch nodes in the cluster \(scale-up, to undo\); delete pods in namespace default \(single-replica\); create pods\/eviction in the cluster/,
      ),
    {
      allows: (_user, { resource, verb, subresource }) =>
        !(
          (resource === 'nodes' && verb === 'patch') ||
          (resource === 'pods' && verb === 'delete') ||
          subresource === 'eviction'
        ),
    },
  );
});

test('nobody else is running', () =>
  apiSite(async (at) => {
    await fine(anotherRun, at, /nobody holds it/);
    const renewTime = new Date(at.it.clock.wallAt()).toISOString();
    await at.put({
      apiVersion: 'coordination.k8s.io/v1',
      kind: 'Lease',
      metadata: { namespace: 'default', name: 'holdfast' },
      spec: { holderIdentity: 'somebody', renewTime, leaseDurationSeconds: 60 },
    });
    await wrong(anotherRun, at, /Lease default\/holdfast/, /somebody holds it, renewed 2026-11-20T10/);
  }));

test('a check that may not look has found nothing good, and the others go on', () =>
  apiSite(async (at) => {
    at.it.fault = ({ url }) =>
      url.includes('/nodes?')
        ? { kind: 'answer', status: 403, text: '{"reason":"Forbidden","message":"no"}' }
        : undefined;
    const facts: string[] = [];
    const stopping = await preCheck(about(at), {
      record: (fact) => {
        if (fact.type === 'check-finished') facts.push(fact.finding.id);
      },
    });
    assert.equal(facts.length, checks.length);
    const finding = stopping.find(({ id }) => id === 'nodes-at-rest');
    assert.match(
      `${finding?.subject} ${finding?.observed} ${finding?.advice}`,
      /^Node 403 Forbidden: no see holdfast rbac/,
    );
  }));

test('a Service of another type is not as it must be, whatever address is left in its status', () =>
  apiSite(async (at) => {
    await at.put(service({ type: 'ClusterIP' }, [{ hostname: 'k8s-1.elb.us-east-1.amazonaws.com' }]));
    await wrong(ingressAddress, at, /ingress-nginx-controller/, /^type ClusterIP, address k8s-1/);
  }));

test('other pods of the namespace are no part of the component', () =>
  apiSite(async (at) => {
    await at.put(pod('kube-system', 'one', 'karpenter'), pod('kube-system', 'dns', 'coredns', [], false));
    await fine(autoscaler, at, /^1 of 1 ready$/);
  }));

test('a NodeClaim may take a quarter of an hour to register, and needs to only once', () =>
  apiSite(async (at) => {
    await at.put(claim('fresh', []), claim('old', [registered]));
    await fine(nodeClaims, at, /2 NodeClaims/);
    await at.it.clock.sleep(901);
    await wrong(nodeClaims, at, /NodeClaims/, /^fresh has not registered for 901 s$/);
  }));

test('a node that is being deleted is on its way out', () =>
  apiSite(async (at) => {
    const leaving = node('leaving');
    await at.put({ ...leaving, metadata: { ...leaving.metadata, finalizers: ['karpenter.sh/termination'] } });
    await at.cluster.delete('Node', { name: 'leaving' });
    await wrong(nodesAtRest, at, /Nodes/, /^leaving is being deleted$/);
  }));

test('a record that leads somewhere while the load balancer has no address', () =>
  apiSite(async (at) => {
    at.names.set('app.example.com', ['198.51.100.9']);
    await wrong(
      dnsRecord,
      at,
      /app\.example\.com/,
      /^it resolves to 198\.51\.100\.9; the load balancer has no address$/,
    );
  }));
