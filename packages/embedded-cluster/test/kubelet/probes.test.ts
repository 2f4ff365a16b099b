import assert from 'node:assert/strict';
import { test } from 'node:test';
import { probeFailsAt } from '../../src/kubelet/probes.ts';
import type { Container, ContainerProbe, PodSpec } from '../../src/kubernetes/specs.ts';
import type { Container as Running } from '../../src/machines/containers.ts';
import { onMachine, type Play } from '../support/on-machine.ts';

const nginx = (more: Partial<Container> = {}, spec: Partial<PodSpec> = {}): PodSpec => ({
  containers: [{ name: 'nginx', image: 'nginx', ports: [{ name: 'web', containerPort: 80 }], ...more }],
  ...spec,
});
const asking = (port: number | string, path = '/', more: Partial<ContainerProbe> = {}): ContainerProbe => ({
  httpGet: { port, path },
  periodSeconds: 1,
  ...more,
});

const status = async ({ pod }: Play) => (await pod())?.status;
const condition = async (it: Play, type: string) => (await status(it))?.conditions?.find((one) => one.type === type);
const container = async (it: Play) => (await status(it))?.containerStatuses?.[0];

test('a probe succeeds at a port that the program listens on, with a page that it has', async () => {
  const cases = [
    [asking(80), true],
    [asking('web'), true],
    [{ tcpSocket: { port: 80 }, periodSeconds: 1 }, true],
    [asking(80, '/index.html'), true],
    [asking(80, '/healthz'), false],
    [asking(8080), false],
    [asking('metrics'), false],
  ] as const;
  for (const [readinessProbe, isAnswered] of cases) {
    await onMachine(nginx({ readinessProbe }), async ({ clock, isReady }) => {
      await clock.sleep(30);
      assert.equal(await isReady(), isAnswered, JSON.stringify(readinessProbe));
    });
  }
});

test('nginx listens on port 80, whatever ports its container names; another program on the ports that are named', async () => {
  for (const [image, outcome] of [
    ['nginx', 'refused'],
    ['nginx:1.29', 'refused'],
    ['team/nginx:1', 'accepted'],
    ['web', 'accepted'],
  ] as const) {
    const spec = nginx({ image, ports: [{ containerPort: 8080 }] });
    const play = async ({ machines, pod, until, isReady }: Play) => {
      await until(isReady);
      assert.equal(machines.connect((await pod())?.status?.podIP ?? '', 8080).outcome, outcome, image);
    };
    await onMachine(spec, play, [image]);
  }
});

test('the readiness probe starts when the startup probe has succeeded', async () => {
  const startupProbe = asking(80, '/', { periodSeconds: 10, initialDelaySeconds: 5 });
  await onMachine(nginx({ startupProbe, readinessProbe: asking(80) }), async (it) => {
    await it.until(async () => (await status(it))?.phase === 'Running');
    assert.equal((await container(it))?.started, false);
    const seconds = await it.until(it.isReady);
    assert.ok(seconds > 3.5 && seconds < 5.5, `${seconds} s`);
    assert.equal((await container(it))?.started, true);
  });
});

test('a failing liveness probe restarts the container twice at once, and the third time after 10 s', async () => {
  const livenessProbe = asking(8080, '/', { periodSeconds: 5, failureThreshold: 3 });
  await onMachine(nginx({ livenessProbe }), async (it) => {
    await it.until(it.isReady);
    const seconds = await it.until(async () => (await container(it))?.restartCount === 1);
    assert.ok(seconds > 9 && seconds < 12, `${seconds} s`);
    const again = await it.until(async () => (await container(it))?.restartCount === 2);
    assert.ok(again > 9 && again < 17, `${again} s`);
    await it.until(async () => (await container(it))?.state?.waiting?.reason === 'CrashLoopBackOff');
    const { lastState, ready } = (await container(it)) ?? {};
    assert.deepEqual([lastState?.terminated?.reason, ready], ['Completed', false]);
    const backOff = await it.until(async () => (await container(it))?.restartCount === 3);
    assert.ok(backOff > 9 && backOff <= 10.1, `${backOff} s`);
  });
});

test('a failing startup probe restarts the container', async () => {
  const startupProbe = asking(80, '/started', { periodSeconds: 1, failureThreshold: 5 });
  await onMachine(nginx({ startupProbe }), async (it) => {
    await it.until(async () => (await container(it))?.state?.running !== undefined);
    const seconds = await it.until(async () => (await container(it))?.restartCount === 1);
    assert.ok(seconds > 3.5 && seconds < 5.5, `${seconds} s`);
    assert.equal(await it.isReady(), false);
  });
});

test('a pod with a readiness gate is Ready only when the gate’s condition is True', async () => {
  const gate = 'example.com/in-target-group';
  await onMachine(nginx({}, { readinessGates: [{ conditionType: gate }] }), async (it) => {
    await it.until(async () => (await condition(it, 'ContainersReady'))?.status === 'True');
    const ready = await condition(it, 'Ready');
    assert.deepEqual([ready?.status, ready?.reason], ['False', 'ReadinessGatesNotReady']);
    assert.match(ready?.message ?? '', /readiness gate "example.com\/in-target-group" does not exist/);
    const conditions = [...((await status(it))?.conditions ?? []), { type: gate, status: 'True' }];
    const at = { name: 'p', namespace: 'default' };
    await it.cluster.patch('Pod', at, { type: 'merge', value: { status: { conditions } } }, { subresource: 'status' });
    const seconds = await it.until(it.isReady);
    assert.ok(seconds <= 0.15, `${seconds} s`);
  });
});

test('a container killed for its memory is OOMKilled; restartPolicy Never ends the pod; the back-off is reset after 10 minutes', async () => {
  const crash = (it: Play) => it.machines.crash(it.machines.containersOf('default/p')[0]?.id ?? '', 137);
  await onMachine(nginx({}, { restartPolicy: 'Never' }), async (it) => {
    await it.until(it.isReady);
    crash(it);
    await it.until(async () => (await status(it))?.phase === 'Failed');
    assert.equal((await container(it))?.state?.terminated?.reason, 'OOMKilled');
    await it.clock.sleep(60);
    assert.equal((await container(it))?.restartCount, 0);
  });
  await onMachine(nginx(), async (it) => {
    await it.until(it.isReady);
    const { startTime } = (await status(it)) ?? {};
    for (const count of [1, 2]) {
      crash(it);
      await it.until(async () => (await container(it))?.restartCount === count && (await it.isReady()));
    }
    assert.equal((await container(it))?.lastState?.terminated?.reason, 'OOMKilled');
    assert.equal((await status(it))?.startTime, startTime, 'the pod’s, not the container’s');
    await it.clock.sleep(601);
    crash(it);
    const seconds = await it.until(async () => (await container(it))?.restartCount === 3);
    assert.ok(seconds < 1, `${seconds} s`);
  });
});

test('a program that does not listen in time is ended by its livenessProbe of any kind; a startupProbe gives it the time', () => {
  const running = { image: 'shop', ports: [80], startsAt: 0, seenAt: 1000, listensAt: 60_000 } as unknown as Running;
  const endsAt = (more: Partial<Container>) => probeFailsAt(running, { name: 'web', image: 'shop', ...more }) / 1000;
  const page = { httpGet: { port: 80, path: '/' } };
  for (const probe of [page, { tcpSocket: { port: 80 } }, { exec: { command: ['check'] } }, { grpc: { port: 80 } }]) {
    assert.equal(endsAt({ livenessProbe: probe }), 21, 'the third of one each 10 s');
    assert.equal(endsAt({ livenessProbe: { ...probe, initialDelaySeconds: 30, failureThreshold: 2 } }), 40);
    assert.equal(endsAt({ livenessProbe: { ...probe, failureThreshold: 7 } }), Number.POSITIVE_INFINITY);
  }
  const livenessProbe = { ...page, periodSeconds: 1 };
  assert.equal(endsAt({ livenessProbe, startupProbe: { ...page, failureThreshold: 7 } }), Number.POSITIVE_INFINITY);
  assert.equal(
    endsAt({ livenessProbe, startupProbe: { ...page, failureThreshold: 3 } }),
    21,
    'nor does it wait for ever',
  );
});
