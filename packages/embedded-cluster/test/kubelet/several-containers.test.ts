import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Container, PodSpec } from '../../src/kubernetes/specs.ts';
import { type Container as Running, stopped } from '../../src/machines/containers.ts';
import { requestsOf } from '../../src/scheduling/node-info.ts';
import { container } from '../support/container.ts';
import { name, onMachine, type Play } from '../support/on-machine.ts';

const images = ['nginx', 'acme/tool', 'acme/proxy'];
const web: Container = { name: 'web', image: 'nginx' };
const migrate: Container = { name: 'migrate', image: 'acme/tool', command: ['migrate'] };
const proxy = {
  name: 'proxy',
  image: 'acme/proxy',
  ports: [{ containerPort: 15_001 }],
  restartPolicy: 'Always',
} as const satisfies Container & { restartPolicy: 'Always' };
const probe = { tcpSocket: { port: 15_001 }, periodSeconds: 1 };

const pod = (initContainers: PodSpec['initContainers'] = [], more: Partial<PodSpec> = {}): PodSpec => ({
  initContainers,
  containers: [web],
  ...more,
});

const running = ({ machines }: Play) => machines.containersOf('default/p');
const named = (it: Play, wanted: string): Running | undefined => running(it).find((one) => one.name === wanted);
const started = (it: Play, wanted: string) => it.until(async () => named(it, wanted) !== undefined);
const conditionOf = async ({ pod: read }: Play, type: string) =>
  (await read())?.status?.conditions?.find((one) => one.type === type);
const instants = ({ startsAt = 0, exitsAt = 0 }: Partial<Running> = {}) => ({ startsAt, exitsAt });

test('init containers run one after the other, and the ordinary ones start when the last has succeeded', () =>
  onMachine(
    pod([migrate, { ...migrate, name: 'warm' }]),
    async (it) => {
      await started(it, 'migrate');
      assert.equal(running(it).length, 1);
      assert.equal(
        (await conditionOf(it, 'Initialized'))?.message,
        'containers with incomplete status: [migrate warm]',
      );
      const state = (await it.pod())?.status;
      assert.equal(state?.phase, 'Pending');
      assert.equal(state?.containerStatuses?.[0]?.state?.waiting?.reason, 'PodInitializing');
      await started(it, 'warm');
      assert.ok(instants(named(it, 'warm')).startsAt > instants(named(it, 'migrate')).exitsAt);
      assert.equal(named(it, 'web'), undefined);
      await it.until(it.isReady);
      assert.ok(instants(named(it, 'web')).startsAt > instants(named(it, 'warm')).exitsAt);
      const after = (await it.pod())?.status;
      assert.deepEqual(
        after?.initContainerStatuses?.map(({ ready, state: ended }) => [ready, ended?.terminated?.exitCode]),
        [
          [true, 0],
          [true, 0],
        ],
      );
      assert.equal((await conditionOf(it, 'Initialized'))?.status, 'True');
      await it.clock.sleep(60);
      assert.equal(named(it, 'migrate')?.restarts, 0, 'one that has succeeded is not run again');
    },
    images,
  ));

test('an init container that fails is run again; where the pod never restarts the pod fails', async () => {
  const crash = async (it: Play) => {
    await started(it, 'migrate');
    it.machines.crash(named(it, 'migrate')?.id ?? '', 1);
  };
  await onMachine(
    pod([migrate]),
    async (it) => {
      await crash(it);
      await it.until(it.isReady);
      assert.equal((await it.pod())?.status?.initContainerStatuses?.[0]?.restartCount, 1);
    },
    images,
  );
  await onMachine(
    pod([migrate], { restartPolicy: 'Never' }),
    async (it) => {
      await crash(it);
      await it.until(async () => (await it.pod())?.status?.phase === 'Failed');
      await it.clock.sleep(60);
      assert.equal(named(it, 'web'), undefined);
    },
    images,
  );
});

test('a sidecar starts before the ordinary containers, which wait for its startup probe, and runs beside them', () =>
  onMachine(
    pod([{ ...proxy, startupProbe: { ...probe, initialDelaySeconds: 20 } }]),
    async (it) => {
      await started(it, 'proxy');
      const seconds = await started(it, 'web');
      assert.ok(seconds > 19 && seconds < 22, `${seconds} s`);
      await it.until(it.isReady);
      assert.equal(named(it, 'proxy')?.exitsAt, undefined);
      assert.equal((await it.pod())?.status?.initContainerStatuses?.[0]?.started, true);
    },
    images,
  ));

test('the pod is ready only when its sidecars and all its containers are', async () => {
  const lateProbe = { ...probe, initialDelaySeconds: 30 };
  const seconds = async (spec: PodSpec) => {
    let ready = 0;
    const play = async (it: Play) => {
      ready = await it.until(it.isReady);
    };
    await onMachine(spec, play, images);
    return ready;
  };
  const late = await seconds(pod([{ ...proxy, readinessProbe: lateProbe }]));
  assert.ok(late > 29 && late < 34, `${late} s`);
  const { restartPolicy: _, ...ordinary } = proxy;
  const both = await seconds({ containers: [web, { ...ordinary, readinessProbe: lateProbe }] });
  assert.ok(both > 29 && both < 34, `${both} s`);
});

test('the restart of a container does not touch the others, and the pod is not ready meanwhile', () =>
  onMachine(
    pod([proxy], { containers: [web, { ...web, name: 'metrics', image: 'acme/tool' }] }),
    async (it) => {
      await it.until(it.isReady);
      for (const wanted of ['web', 'proxy'] as const) {
        const others = running(it).filter((one) => one.name !== wanted);
        it.machines.crash(named(it, wanted)?.id ?? '', 137);
        await it.until(async () => !(await it.isReady()));
        await it.until(it.isReady);
        assert.equal(named(it, wanted)?.restarts, 1);
        for (const other of others) assert.deepEqual(named(it, other.name), other);
      }
      assert.equal((await it.pod())?.status?.phase, 'Running');
    },
    images,
  ));

test('a sidecar that ends with success is restarted, also in a pod that never restarts', () =>
  onMachine(
    pod([proxy], { restartPolicy: 'Never' }),
    async (it) => {
      await it.until(it.isReady);
      it.machines.crash(named(it, 'proxy')?.id ?? '', 0);
      await it.until(async () => named(it, 'proxy')?.restarts === 1);
      assert.equal(named(it, 'web')?.restarts, 0);
    },
    images,
  ));

test('a liveness probe that fails restarts only its own container, a sidecar too', () =>
  onMachine(
    pod([{ ...proxy, livenessProbe: { tcpSocket: { port: 1 }, periodSeconds: 1, failureThreshold: 2 } }]),
    async (it) => {
      await it.until(async () => (named(it, 'proxy')?.restarts ?? 0) > 0);
      assert.equal(named(it, 'web')?.restarts, 0);
    },
    images,
  ));

test('sidecars get SIGTERM when the ordinary containers have ended, the last started first', () =>
  onMachine(
    pod([proxy, { ...proxy, name: 'log' }], {
      containers: [{ ...web, lifecycle: { preStop: { sleep: { seconds: 10 } } } }],
    }),
    async (it) => {
      await it.until(it.isReady);
      await it.cluster.delete('Pod', name);
      await it.until(async () => named(it, 'proxy')?.exitsAt !== undefined);
      const [web_, log, last] = ['web', 'log', 'proxy'].map((one) => named(it, one));
      assert.ok((log?.closesAt ?? 0) >= (web_?.exitsAt ?? 0), 'the last sidecar outlives the application');
      assert.ok((last?.closesAt ?? 0) >= (log?.exitsAt ?? 0), 'the first one outlives the last');
      const gone = await it.until(async () => (await it.pod()) === undefined);
      assert.ok(gone > 9.5 && gone < 15, `${gone} s`);
    },
    images,
  ));

test('a sidecar that has waited the whole grace period for its turn gets two more seconds', () => {
  const how = { preStopSeconds: 0, graceSeconds: 30, lingersSeconds: 0, reapedSeconds: 1 };
  const killed = stopped(container(), 10_000, { ...how, quitsSeconds: 60, turnAt: 100_000 });
  assert.deepEqual([killed.closesAt, killed.exitsAt, killed.exitCode], [40_000, 42_000, 137]);
  const inTime = stopped(container(), 10_000, { ...how, quitsSeconds: 1, turnAt: 15_000 });
  assert.deepEqual([inTime.closesAt, inTime.exitsAt, inTime.exitCode], [15_000, 16_000, 0]);
});

test('the sidecars of a pod whose containers have ended for good are stopped, and the pod succeeds', () =>
  onMachine(
    pod([proxy], { containers: [{ ...web, image: 'acme/tool' }], restartPolicy: 'OnFailure' }),
    async (it) => {
      await it.until(async () => named(it, 'web')?.exitsAt !== undefined);
      await it.until(async () => (await it.pod())?.status?.phase === 'Succeeded');
      const [work, side] = [named(it, 'web'), named(it, 'proxy')];
      assert.ok((side?.exitsAt ?? 0) > (work?.exitsAt ?? 0));
    },
    images,
  ));

test('a pod requests its containers and sidecars together, or an init container with the sidecars before it if that is more', () => {
  const cpu = (one: Container, amount: string) => ({ ...one, resources: { requests: { cpu: amount } } });
  const requested = (initContainers: NonNullable<PodSpec['initContainers']>) =>
    Math.round(1000 * (requestsOf({ initContainers, containers: [cpu(web, '200m')] }).cpu ?? 0));
  assert.equal(requested([{ ...cpu(proxy, '100m'), restartPolicy: 'Always' }]), 300);
  assert.equal(requested([cpu(migrate, '250m')]), 250);
  assert.equal(requested([{ ...cpu(proxy, '100m'), restartPolicy: 'Always' }, cpu(migrate, '250m')]), 350);
  assert.equal(requested([cpu(migrate, '250m'), { ...cpu(proxy, '100m'), restartPolicy: 'Always' }]), 300);
});
