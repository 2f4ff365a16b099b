import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Node, Pod } from '../../../src/cluster/resources.ts';
import { probeZones } from '../../../src/validation/observe/probe-zones.ts';
import { validationSchema } from '../../../src/validation/settings.ts';

const settings = { ...validationSchema.parse({}), vantage: 'in-cluster' } as const;

function node(name: string, zone: string, more: { pool?: string; cordoned?: true; ready?: false } = {}): Node {
  const { pool, cordoned, ready } = more;
  return {
    apiVersion: 'v1',
    kind: 'Node',
    metadata: {
      name,
      labels: { 'topology.kubernetes.io/zone': zone, ...(pool === undefined ? {} : { 'karpenter.sh/nodepool': pool }) },
    },
    spec: { unschedulable: cordoned === true },
    status: { conditions: [{ type: 'Ready', status: ready === false ? 'False' : 'True' }] },
  };
}

const podOn = (nodeName: string): Pod => ({
  apiVersion: 'v1',
  kind: 'Pod',
  metadata: { name: 'web', namespace: 'default' },
  spec: { nodeName, containers: [] },
});

test('each zone with a node that the run does not disturb gets a probe; of the others it is said why not', () => {
  const nodes = [
    node('a1', 'a', { pool: 'general-purpose-arm' }),
    node('a2', 'a'),
    node('b1', 'b', { pool: 'general-purpose-arm' }),
    node('c1', 'c', { ready: false }),
    node('c2', 'c', { cordoned: true }),
    node('d1', 'd', { pool: 'other' }),
    node('e1', 'e'),
  ];
  assert.deepEqual(probeZones(nodes, [podOn('e1')], settings), {
    zones: ['a', 'd'],
    without: [
      { zone: 'b', because: 'its nodes are all of the pool that the run disturbs' },
      { zone: 'c', because: 'no node of it is ready and takes pods' },
      { zone: 'e', because: 'its other nodes all hold pods of the application' },
    ],
  });
});

test('without Karpenter the pool is the nodes with its labels, and the settings may narrow the nodes of probes', () => {
  const probes = { image: 'holdfast', pullSecrets: [], tolerations: [], nodeSelector: 'team=ops' };
  const own = {
    ...settings,
    autoscaler: { ...settings.autoscaler, kind: 'none' },
    probes,
  } as const;
  const web = node('a1', 'a');
  const labelled = { ...web, metadata: { ...web.metadata, labels: { ...web.metadata.labels, role: 'web' } } };
  assert.deepEqual(probeZones([labelled, node('b1', 'b')], [], own).without, [
    { zone: 'a', because: 'its nodes are all of the pool that the run disturbs' },
    { zone: 'b', because: 'no other node of it has the labels team=ops' },
  ]);
});

test('nodes without the label of a zone get no probe', () => {
  const plain = node('x', 'a');
  const unzoned = { ...plain, metadata: { name: 'x' } };
  assert.deepEqual(probeZones([unzoned], [], settings).without, [
    { zone: 'the zone without a name', because: 'its nodes name no zone' },
  ]);
});
