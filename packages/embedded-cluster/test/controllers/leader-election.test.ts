import assert from 'node:assert/strict';
import { test } from 'node:test';
import { leaderElection } from '../../src/controllers/leader-election.ts';
import { onStage } from '../support/stage.ts';

test('one of two replicas is the leader, and the other one takes over when it is gone', async () => {
  await onStage(
    (machines) => [leaderElection(machines, 'kube-system')],
    [],
    async ({ cluster, machines, until, clock }) => {
      const { id: instanceId } = machines.launch({
        type: 'm8g.large',
        zone: 'us-east-1a',
        capacityType: 'on-demand',
        labels: {},
        taints: [],
        tags: {},
        bootedWithImages: [],
      });
      const run = (name: string) =>
        machines.start({
          id: name,
          podKey: `kube-system/${name}`,
          podUid: name,
          name: 'c',
          image: 'karpenter',
          instanceId,
          address: '10.64.1.1',
          ports: [],
          restarts: 0,
          createdAt: 0,
          startsAt: 0,
          listensAt: 0,
          seenAt: 0,
        });
      const leader = async () =>
        (await cluster.get('Lease', { name: 'karpenter-leader-election', namespace: 'kube-system' }))?.spec;
      run('one');
      run('two');
      await until(async () => (await leader())?.holderIdentity === 'one');
      machines.crash('one', 1);
      const seconds = await until(async () => (await leader())?.holderIdentity === 'two');
      assert.ok(seconds <= 2.1, `${seconds} s`);
      assert.equal((await leader())?.leaseTransitions, 1);
      await clock.sleep(10);
      assert.ok(clock.wallAt() - Date.parse((await leader())?.renewTime ?? '') <= 2000);
    },
  );
});
