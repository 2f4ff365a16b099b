import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Container, PodSpec } from '../../src/kubernetes/specs.ts';
import { name, onMachine, type Play } from '../support/on-machine.ts';

const batch = (more: Partial<Container> = {}, spec: Partial<PodSpec> = {}): PodSpec => ({
  containers: [{ name: 'work', image: 'shop/artisan', ...more }],
  restartPolicy: 'Never',
  ...spec,
});
const images = ['shop/artisan', 'nginx'];

const status = async ({ pod }: Play) => (await pod())?.status;
const reached = (it: Play, phase: string) => it.until(async () => (await status(it))?.phase === phase);

for (const restartPolicy of ['Never', 'OnFailure'] as const)
  test(`the program of a pod with restartPolicy ${restartPolicy} works for 10 s and succeeds`, () =>
    onMachine(
      batch({}, { restartPolicy }),
      async (it) => {
        await reached(it, 'Running');
        const seconds = await reached(it, 'Succeeded');
        assert.ok(seconds > 8.5 && seconds < 10.2, `${seconds} s`);
        const { conditions = [], containerStatuses = [] } = (await status(it)) ?? {};
        const { state, restartCount } = containerStatuses[0] ?? {};
        assert.deepEqual([state?.terminated?.exitCode, state?.terminated?.reason, restartCount], [0, 'Completed', 0]);
        const ready = conditions.find(({ type }) => type === 'Ready');
        assert.deepEqual([ready?.status, ready?.reason], ['False', 'PodCompleted']);
      },
      images,
    ));

test('a server does not end by itself, except where a command stands in for it', async () => {
  await onMachine(batch({ image: 'nginx' }), async (it) => {
    await it.clock.sleep(120);
    assert.equal((await status(it))?.phase, 'Running');
  });
  await onMachine(batch({ image: 'nginx', command: ['nginx', '-t'] }), (it) => reached(it, 'Succeeded').then());
  await onMachine(
    batch({}, { restartPolicy: 'Always' }),
    async (it) => {
      await it.clock.sleep(120);
      assert.equal((await status(it))?.phase, 'Running');
    },
    images,
  );
});

test('a program that is stopped in the middle of its work fails with 143, and its pod stays as long as a finalizer keeps it', () =>
  onMachine(
    batch(),
    async (it) => {
      await reached(it, 'Running');
      const finalizers = (value: readonly string[]) =>
        it.cluster.patch('Pod', name, { type: 'merge', value: { metadata: { finalizers: value } } });
      await finalizers(['example.com/kept']);
      await it.cluster.delete('Pod', name);
      await reached(it, 'Failed');
      assert.equal((await status(it))?.containerStatuses?.[0]?.state?.terminated?.exitCode, 143);
      await it.clock.sleep(60);
      assert.equal((await status(it))?.phase, 'Failed', 'also when its containers are removed');
      assert.equal(it.machines.containersOf('default/p').length, 0);
      await finalizers([]);
      await it.until(async () => (await it.pod()) === undefined);
    },
    images,
  ));

test('a pod that goes before its containers were made has failed', () =>
  onMachine(
    batch(),
    async (it) => {
      const value = { metadata: { finalizers: ['example.com/kept'] } };
      await it.cluster.patch('Pod', name, { type: 'merge', value });
      await it.cluster.delete('Pod', name);
      await reached(it, 'Failed');
    },
    images,
  ));

test('a pod that has succeeded stays so, also when it is deleted and a finalizer keeps it', () =>
  onMachine(
    batch(),
    async (it) => {
      const value = { metadata: { finalizers: ['example.com/kept'] } };
      await it.cluster.patch('Pod', name, { type: 'merge', value });
      await reached(it, 'Succeeded');
      await it.cluster.delete('Pod', name);
      await it.clock.sleep(60);
      const labels = { seen: 'again' };
      await it.cluster.patch('Pod', name, { type: 'merge', value: { metadata: { labels } } });
      await it.clock.sleep(5);
      assert.equal((await status(it))?.phase, 'Succeeded');
    },
    images,
  ));
