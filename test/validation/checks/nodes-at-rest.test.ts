import { test } from 'node:test';
import { nodesAtRest } from '../../../src/validation/checks/nodes-at-rest.ts';
import { apiSite } from '../../support/api-site.ts';
import { fine, wrong } from '../../support/checked.ts';
import { podOn } from '../../support/objects.ts';

const node = (name: string, spec: object = {}) => ({ apiVersion: 'v1', kind: 'Node', metadata: { name }, spec });

test('no node may be cordoned or disrupted', () =>
  apiSite(async (at) => {
    await at.put(node('calm'));
    await fine(nodesAtRest, at, /1 nodes, none being drained or deleted/);
    await at.put(
      node('cordoned', { unschedulable: true }),
      node('disrupted', { taints: [{ key: 'karpenter.sh/disrupted', effect: 'NoSchedule' }] }),
    );
    await wrong(nodesAtRest, at, /cordoned is cordoned/, /disrupted is being disrupted by the autoscaler/);
  }));

test('no node may be being deleted', () =>
  apiSite(async (at) => {
    const leaving = node('leaving');
    await at.put({ ...leaving, metadata: { ...leaving.metadata, finalizers: ['karpenter.sh/termination'] } });
    await at.cluster.delete('Node', { name: 'leaving' });
    await wrong(nodesAtRest, at, /Nodes/, /^leaving is being deleted$/);
  }));

test('no pod of the application may be Running on a node that is gone', () =>
  apiSite(async (at) => {
    await at.put(node('a'), podOn('a'), podOn('lost'));
    await wrong(nodesAtRest, at, /Nodes/, /^nginx-test-lost is on lost, which is gone$/);
    await at.put(node('lost'));
    await fine(nodesAtRest, at, /2 nodes/);
  }));
