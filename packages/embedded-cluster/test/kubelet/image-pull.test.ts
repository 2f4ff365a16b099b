import assert from 'node:assert/strict';
import { test } from 'node:test';
import { kubelet } from '../../src/controllers/kubelet.ts';
import { kubeletNode } from '../../src/controllers/kubelet-node.ts';
import { pullFailure } from '../../src/kubelet/image-pull.ts';
import type { Machines } from '../../src/machines/machines.ts';
import { launchRequest, name } from '../support/on-machine.ts';
import { onStage, type Stage } from '../support/stage.ts';

const of = (image: string, missing: readonly string[] = []) => pullFailure({ image }, missing);

test('every image is pulled but those that are said to be missing', () => {
  assert.equal(of('registry.example.com:5000/shop/web:2.0'), undefined);
  assert.equal(of(`nginx@sha256:${'a'.repeat(64)}`), undefined);
  for (const pattern of ['shop/web', 'shop/web:2.0', 'shop/*', '*:2.0', 'shop/web:2.*'])
    assert.equal(of('shop/web:2.0', [pattern]), 'ErrImagePull', pattern);
  for (const pattern of ['web', 'shop/web:2', 'shop/web:2.0.1', 'shop/we', 'shop/web:2x0', 'shop/web@sha256:0'])
    assert.equal(of('shop/web:2.0', [pattern]), undefined, pattern);
  assert.equal(of('registry:5000/web', ['registry:5000/web']), 'ErrImagePull', 'a port is no tag');
});

test('a name that is no reference of an image cannot be pulled, nor what must never be', () => {
  for (const image of ['Nginx', 'nginx:', 'nginx:a b', 'shop//web', 'nginx@sha256:abc', '-web', `${'a'.repeat(40)}!`])
    assert.equal(of(image), 'InvalidImageName', image);
  for (const image of ['nginx', 'Shop.example/web', 'localhost/a__b/c-d.e:V_1.0', 'a.b.c:80/d'])
    assert.equal(of(image), undefined, image);
  assert.equal(pullFailure({ image: 'nginx', imagePullPolicy: 'Never' }, []), 'ErrImageNeverPull');
});

const controllers = (machines: Machines) => [
  kubelet(machines, { own: undefined, missingImages: ['shop/web:2.0'] }),
  kubeletNode(machines),
];

async function onNewMachine(stage: Stage, images: readonly string[]): Promise<void> {
  const { nodeName } = stage.machines.launch({ ...launchRequest, bootedWithImages: ['nginx'] });
  const containers = images.map((image, number) => ({
    name: `c${number}`,
    image,
    ports: [{ containerPort: 80 + number }],
  }));
  await stage.cluster.create({ apiVersion: 'v1', kind: 'Pod', metadata: name, spec: { nodeName, containers } });
}

test('a container whose image is missing waits: ErrImagePull, 10 s later ImagePullBackOff; its pod stays Pending and can be deleted', () =>
  onStage(controllers, [], async (stage) => {
    await onNewMachine(stage, ['nginx', 'shop/web:2.0']);
    const status = async () => (await stage.cluster.get('Pod', name))?.status;
    const reason = async () => (await status())?.containerStatuses?.[1]?.state?.waiting?.reason;
    const first = await stage.until(async () => (await reason()) === 'ErrImagePull');
    assert.ok(first < 2, `${first} s`);
    const later = await stage.until(async () => (await reason()) === 'ImagePullBackOff');
    assert.ok(later > 9.8 && later < 10.3, `${later} s`);
    await stage.clock.sleep(600);
    const { phase, podIP, conditions = [], containerStatuses = [] } = (await status()) ?? {};
    assert.deepEqual([phase, await reason(), typeof podIP], ['Pending', 'ImagePullBackOff', 'string']);
    assert.equal(conditions.find(({ type }) => type === 'Ready')?.status, 'False');
    assert.equal(containerStatuses[0]?.ready, true, 'the other one runs');
    await stage.cluster.delete('Pod', name);
    await stage.until(async () => (await stage.cluster.get('Pod', name)) === undefined);
  }));
