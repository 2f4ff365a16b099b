import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createCluster } from '@holdfast/embedded-cluster';
import { CoreV1Api, KubeConfig, makeInformer } from '@kubernetes/client-node';

/**
 * A controller of one's own, as it would run anywhere: it gives every namespace with the label `team` its ConfigMap.
 */
async function teamController(config: KubeConfig): Promise<() => Promise<void>> {
  const core = config.makeApiClient(CoreV1Api);
  const informer = makeInformer(config, '/api/v1/namespaces', () => core.listNamespace());
  informer.on('add', ({ metadata }) => {
    const team = metadata?.labels?.team;
    if (team === undefined) return;
    const body = { metadata: { name: 'team' }, data: { name: team } };
    void core.createNamespacedConfigMap({ namespace: metadata?.name ?? '', body });
  });
  await informer.start();
  return () => informer.stop();
}

test('a namespace of a team gets its ConfigMap', async () => {
  const served = await createCluster().listen();
  const config = new KubeConfig();
  config.loadFromString(served.kubeconfig);
  const core = config.makeApiClient(CoreV1Api);
  const made = Promise.withResolvers<string | undefined>();
  const seen = makeInformer(config, '/api/v1/namespaces/shop/configmaps', () =>
    core.listNamespacedConfigMap({ namespace: 'shop' }),
  );
  seen.on('add', ({ metadata, data }) => {
    if (metadata?.name === 'team') made.resolve(data?.name);
  });
  const stop = await teamController(config);
  try {
    await core.createNamespace({ body: { metadata: { name: 'shop', labels: { team: 'checkout' } } } });
    await seen.start();
    assert.equal(await made.promise, 'checkout');
  } finally {
    await seen.stop();
    await stop();
    served.close();
  }
});
