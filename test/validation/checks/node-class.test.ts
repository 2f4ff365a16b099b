import { test } from 'node:test';
import { nodeClass } from '../../../src/validation/checks/node-class.ts';
import { apiSite } from '../../support/api-site.ts';
import { fine, wrong } from '../../support/checked.ts';
import { settings } from '../../support/measured.ts';

const nodeClassOf = (status: string) => ({
  apiVersion: 'karpenter.k8s.aws/v1',
  kind: 'EC2NodeClass',
  metadata: { name: 'default' },
  status: { conditions: [{ type: 'Ready', status, message: 'SubnetsNotFound' }] },
});

test('the node class must exist and be Ready', async () => {
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
