import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { PodSpec } from '../../src/kubernetes/specs.ts';
import { hardenedPod, plainPod } from '../support/objects.ts';
import { kubelets, launchRequest, name, onMachine } from '../support/on-machine.ts';
import { onStage } from '../support/stage.ts';

test('a container whose image is on the machine is ready within three seconds', async () => {
  await onMachine(hardenedPod, async ({ until, isReady, pod, connect }) => {
    const seconds = await until(isReady);
    assert.ok(seconds > 0.5 && seconds < 3.3, `${seconds} s`);
    assert.equal(await connect(), 'accepted');
    assert.equal((await pod())?.status?.phase, 'Running');
    assert.match((await pod())?.status?.podIP ?? '', /^10\.64\./);
  });
});

test('a missing image is pulled in 10 to 20 seconds, once for each machine', async () => {
  await onMachine(
    plainPod,
    async ({ until, isReady, cluster, pod }) => {
      const seconds = await until(isReady);
      assert.ok(seconds > 10 && seconds < 23, `${seconds} s`);
      const nodeName = (await pod())?.spec.nodeName ?? '';
      await cluster.create({
        apiVersion: 'v1',
        kind: 'Pod',
        metadata: { name: 'q', namespace: 'default' },
        spec: { ...plainPod, nodeName },
      });
      const again = await until(
        async () => (await cluster.get('Pod', { name: 'q', namespace: 'default' }))?.status?.phase === 'Running',
      );
      assert.ok(again < 3, `${again} s`);
    },
    [],
  );
});

test('without a readiness probe a pod is ready as soon as it runs, before it listens', async () => {
  const slow = {
    ...plainPod,
    containers: [{ name: 'n', image: 'registry.k8s.io/ingress-nginx/controller', ports: [{ containerPort: 80 }] }],
  };
  await onMachine(
    slow,
    async ({ until, isReady, connect }) => {
      await until(isReady);
      assert.equal(await connect(), 'refused');
      await until(async () => (await connect()) === 'accepted');
    },
    ['registry.k8s.io/ingress-nginx/controller'],
  );
});

test('a container serves during its preStop sleep; then nginx closes its socket at once and exits', async () => {
  await onMachine(hardenedPod, async ({ until, isReady, cluster, connect, pod, machines }) => {
    await until(isReady);
    await cluster.delete('Pod', name);
    const serving = await until(async () => (await connect()) !== 'accepted');
    assert.ok(serving >= 10 && serving < 10.2, `${serving} s`);
    const gone = await until(async () => (await pod()) === undefined);
    assert.ok(gone < 1.6, `${gone} s`);
    assert.deepEqual(machines.containersOf('default/p'), []);
  });
});

test('without preStop a pod stops serving 0.1 s after its deletion, and its last phase is Succeeded', async () => {
  await onMachine(plainPod, async ({ until, isReady, cluster, connect, pod }) => {
    await until(isReady);
    await cluster.delete('Pod', name);
    const serving = await until(async () => (await connect()) === 'refused');
    assert.ok(serving <= 0.12, `${serving} s`);
    let last = '';
    await until(async () => {
      const now = await pod();
      last = now?.status?.phase ?? last;
      return now === undefined;
    });
    assert.equal(last, 'Succeeded');
  });
});

test('a container is killed with SIGKILL when its grace period is over', async () => {
  const [nginx] = hardenedPod.containers;
  // The API accepts no `sleep` that is longer than the grace period; a command may be.
  const lifecycle = { preStop: { exec: { command: ['sleep', '10'] } } };
  const spec = { ...hardenedPod, terminationGracePeriodSeconds: 4, containers: [{ ...nginx, lifecycle }] } as PodSpec;
  await onMachine(spec, async ({ until, isReady, cluster, connect }) => {
    await until(isReady);
    await cluster.delete('Pod', name);
    const serving = await until(async () => (await connect()) === 'refused');
    assert.ok(serving >= 4 && serving < 4.2, `${serving} s`);
  });
});

test('packets to a terminated machine are dropped, while its pod’s status still says Ready', async () => {
  await onMachine(hardenedPod, async ({ until, isReady, clock, machines, connect, pod }) => {
    await until(isReady);
    const nodeName = (await pod())?.spec.nodeName ?? '';
    machines.terminate(machines.instanceOfNode(nodeName)?.id ?? '');
    assert.equal(await connect(), 'accepted', 'for some seconds it still answers');
    const alive = await until(async () => (await connect()) === 'dropped');
    assert.ok(alive >= 2 && alive <= 8.1, `${alive} s`);
    await clock.sleep(300);
    assert.equal(await isReady(), true);
  });
});

test('a container that crashes is restarted, with a longer back-off each time', async () => {
  await onMachine(plainPod, async ({ until, isReady, machines, pod }) => {
    const restarted = async (times: number) =>
      (await pod())?.status?.containerStatuses?.[0]?.restartCount === times && (await isReady());
    const crash = () => machines.crash(machines.containersOf('default/p')[0]?.id ?? '', 137);
    await until(isReady);
    crash();
    assert.ok((await until(() => restarted(1))) < 2);
    crash();
    const second = await until(() => restarted(2));
    assert.ok(second >= 10 && second < 12, `${second} s`);
  });
});

test('a booted machine creates its Node, is Ready 15 to 24 seconds later, and renews its Lease every 10 seconds', async () => {
  await onStage(kubelets, [], async ({ machines, cluster, until, clock }) => {
    const { nodeName } = machines.launch(launchRequest);
    const node = () => cluster.get('Node', { name: nodeName });
    const booted = await until(async () => (await node()) !== undefined);
    assert.ok(booted > 38 && booted < 53.2, `${booted} s`);
    assert.equal((await node())?.spec?.taints?.[0]?.key, 'node.cloudprovider.kubernetes.io/uninitialized');
    const ready = await until(
      async () =>
        (await node())?.status?.conditions?.some(({ type, status }) => type === 'Ready' && status === 'True') === true,
    );
    assert.ok(ready > 14.9 && ready < 24.1, `${ready} s`);
    const renewals = new Set<string>();
    for (let second = 0; second < 60; second += 1) {
      renewals.add(
        (await cluster.get('Lease', { name: nodeName, namespace: 'kube-node-lease' }))?.spec.renewTime ?? '',
      );
      await clock.sleep(1);
    }
    assert.ok(renewals.size === 6 || renewals.size === 7, `${renewals.size} renewals a minute`);
  });
});
