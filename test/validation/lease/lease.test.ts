import assert from 'node:assert/strict';
import { test } from 'node:test';
import { connect } from '../../../src/cluster/client.ts';
import type { Cluster } from '../../../src/cluster/cluster.ts';
import { OperationError } from '../../../src/host/errors.ts';
import { takeLease } from '../../../src/validation/lease/lease.ts';
import { leaseName, microTime } from '../../../src/validation/lease/lease-object.ts';
import { hasDied, otherHolders } from '../../../src/validation/lease/other-holders.ts';
import { type ApiHost, apiHost } from '../../cluster/api-host.ts';

interface Scene {
  readonly it: ApiHost;
  readonly cluster: Cluster;
  readonly as: (holder: string) => Parameters<typeof takeLease>[0];
}

function scene(main: (scene: Scene) => Promise<void>): Promise<void> {
  const it = apiHost();
  const cluster = connect(it.host, { server: 'https://api.example' });
  const as = (holder: string) => ({ cluster, clock: it.clock, namespace: 'default', holder });
  return it.clock.run(() => main({ it, cluster, as }));
}

const at = { namespace: 'default', name: leaseName };
const unlost = (error: OperationError): void => assert.fail(error.message);

async function taken(asking: Parameters<typeof takeLease>[0], lost = unlost) {
  const lease = await takeLease(asking, lost);
  if ('holder' in lease) return assert.fail(`${lease.holder} has it`);
  return lease;
}

test('one run holds the lease, renews it while it runs, and releases it', () =>
  scene(async ({ it, cluster, as }) => {
    const lease = await taken(as('first'));
    const before = await cluster.get('Lease', at);
    assert.equal(before?.spec.holderIdentity, 'first');
    assert.match(before?.spec.renewTime ?? '', /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{6}Z$/, 'a MicroTime');
    await it.clock.sleep(600);
    assert.deepEqual(await otherHolders(as('first')), []);
    const second = await takeLease(as('second'), unlost);
    assert.ok('holder' in second && second.holder === 'first');
    await lease.release();
    assert.equal(await cluster.get('Lease', at), undefined);
    await (await taken(as('second'))).release();
  }));

test('the lease of a killed run is taken over when it has expired, and not before', () =>
  scene(async ({ it, cluster, as }) => {
    await cluster.create({
      apiVersion: 'coordination.k8s.io/v1',
      kind: 'Lease',
      metadata: at,
      spec: {
        holderIdentity: 'killed',
        leaseDurationSeconds: 60,
        renewTime: microTime(it.clock),
      },
    });
    await it.clock.sleep(61);
    assert.ok('holder' in (await takeLease(as('next'), unlost)), 'clocks may differ by a second');
    await it.clock.sleep(2);
    const lease = await taken(as('next'));
    assert.equal((await cluster.get('Lease', at))?.spec.holderIdentity, 'next');
    await lease.release();
  }));

test('a run in another namespace counts as another run', () =>
  scene(async ({ as }) => {
    const lease = await taken({ ...as('first'), namespace: 'kube-public' });
    const second = await takeLease(as('second'), unlost);
    assert.ok('holder' in second && second.namespace === 'kube-public');
    await lease.release();
  }));

test('a caller that may not read leases of other namespaces reads those of its own', () =>
  scene(async ({ it, as }) => {
    const lease = await taken(as('first'));
    it.fault = ({ url }) =>
      new URL(url).pathname === '/apis/coordination.k8s.io/v1/leases'
        ? { kind: 'answer', status: 403, text: '{"kind":"Status","reason":"Forbidden","message":"no"}' }
        : undefined;
    const second = await takeLease(as('second'), unlost);
    assert.ok('holder' in second && second.holder === 'first');
    await lease.release();
  }));

/** The lease of a run on another machine, last renewed so many seconds ago by that machine's clock. */
async function left({ it, cluster }: Scene, secondsAgo: number, namespace = 'default'): Promise<void> {
  const renewTime = microTime({ wallAt: () => it.clock.wallAt() - secondsAgo * 1000 });
  const spec = { holderIdentity: 'killed', leaseDurationSeconds: 60, acquireTime: renewTime, renewTime };
  const metadata = { namespace, name: leaseName };
  await cluster.create({ apiVersion: 'coordination.k8s.io/v1', kind: 'Lease', metadata, spec });
}

for (const aheadSeconds of [90, 7200, -90, -7200])
  test(`a machine whose clock is ${aheadSeconds} s ahead does not take the lease of a run that is alive`, () =>
    scene(async ({ it, as }) => {
      const lease = await taken(as('alive'));
      const clock = { ...it.clock, wallAt: () => it.clock.wallAt() + aheadSeconds * 1000 };
      const second = await takeLease({ ...as('second'), clock }, unlost);
      assert.ok('holder' in second && second.holder === 'alive');
      assert.equal(await hasDied({ ...as('recover'), clock }, 'alive'), false);
      await lease.release();
    }));

test('a lease whose run may be alive is watched for a minute; one that expired long ago is not', () =>
  scene(async (at) => {
    for (const [secondsAgo, least, most] of [
      [3600, 62, 70],
      [-3600, 62, 70],
      [2 * 86_400, 0, 1],
    ] as const) {
      await left(at, secondsAgo);
      const before = at.it.clock.monotonicSeconds();
      const lease = await taken(at.as('next'));
      const seconds = at.it.clock.monotonicSeconds() - before;
      assert.ok(seconds >= least && seconds <= most, `${secondsAgo} s ago: ${seconds}`);
      await lease.release();
    }
  }));

test('a signal ends the wait for a lease at once, with its reason, and no lease is taken', () =>
  scene(async (at) => {
    const reason = new OperationError({ tried: 'Running', on: 'the procedure', reason: 'stopped by SIGINT' });
    for (const fault of [undefined, { kind: 'refused' }] as const) {
      await left(at, 3600);
      const stop = new AbortController();
      const taking = takeLease({ ...at.as('next'), signal: stop.signal }, unlost).catch((error: unknown) => error);
      await at.it.clock.sleep(1);
      at.it.fault = () => fault;
      await at.it.clock.sleep(11);
      const before = at.it.clock.monotonicSeconds();
      stop.abort(reason);
      assert.equal(await taking, reason);
      // A request that is under way is not aborted.
      assert.ok(at.it.clock.monotonicSeconds() - before <= (fault === undefined ? 0.1 : 4));
      at.it.fault = () => undefined;
      assert.equal(
        (await at.cluster.get('Lease', { namespace: 'default', name: leaseName }))?.spec.holderIdentity,
        'killed',
      );
      await at.cluster.delete('Lease', { namespace: 'default', name: leaseName });
    }
  }));

test('a holder that is known to be dead is not waited for again', () =>
  scene(async (at) => {
    await left(at, 3600);
    const before = at.it.clock.monotonicSeconds();
    const lease = await taken({ ...at.as('recover'), died: ['killed'] });
    assert.ok(at.it.clock.monotonicSeconds() - before < 1);
    await lease.release();
  }));

test('of two runs that take over the same expired lease one gets it', () =>
  scene(async (at) => {
    await left(at, 3600);
    const late: Cluster['get'] = async (...asked) => {
      await at.it.clock.sleep(1);
      return at.cluster.get(...asked);
    };
    const second = { ...at.as('second'), cluster: { ...at.cluster, get: late } };
    const both = await Promise.all([at.as('first'), second].map((asking) => takeLease(asking, unlost)));
    const held = both.filter((lease) => 'release' in lease);
    assert.equal(held.length, 1);
    for (const lease of held) await lease.release();
  }));

test('a lease that may be alive is watched even if another one expired long ago', () =>
  scene(async (at) => {
    await left(at, 2 * 86_400, 'kube-public');
    await left(at, 3600);
    const before = at.it.clock.monotonicSeconds();
    const lease = await taken(at.as('next'));
    assert.ok(at.it.clock.monotonicSeconds() - before >= 62);
    await lease.release();
  }));

test('of two runs that start at once in two namespaces one keeps its lease, and the other deletes its own', () =>
  scene(async ({ it, cluster, as }) => {
    for (const [secondsLater, skewSeconds] of [
      [0, 0],
      [0.0005, -3600],
      [0.0005, 3600],
    ] as const) {
      const second = async () => {
        await it.clock.sleep(secondsLater);
        const clock = { ...it.clock, wallAt: () => it.clock.wallAt() + skewSeconds * 1000 };
        return takeLease({ ...as('second'), clock, namespace: 'kube-public' }, unlost);
      };
      const both = await Promise.all([takeLease(as('first'), unlost), second()]);
      const held = both.filter((lease) => 'release' in lease);
      assert.equal(held.length, 1);
      assert.equal((await cluster.list('Lease', { fieldSelector: `metadata.name=${leaseName}` })).length, 1);
      for (const lease of held) await lease.release();
    }
  }));

for (const [what, fault, words] of [
  ['refused', { kind: 'answer', status: 403, text: '{"reason":"Forbidden","message":"no"}' }, /403 Forbidden: no/],
  ['not answered', { kind: 'hang' }, /could not be renewed for 60 s/],
] as const)
  test(`a lease whose renewals are ${what} is reported lost once, before another run may take it, and is renewed until one has`, () =>
    scene(async ({ it, as, cluster }) => {
      const losses: { readonly message: string; readonly seconds: number }[] = [];
      const from = it.clock.monotonicSeconds();
      const lease = await taken(as('first'), ({ message }) =>
        losses.push({ message, seconds: it.clock.monotonicSeconds() - from }),
      );
      await it.clock.sleep(5);
      it.fault = ({ method, url }) => (method === 'PATCH' && url.includes('/leases/') ? fault : undefined);
      await it.clock.sleep(120);
      assert.equal(losses.length, 1);
      assert.match(losses[0]?.message ?? '', words);
      assert.ok((losses[0]?.seconds ?? 0) <= 61, `${losses[0]?.seconds}`);
      it.fault = () => undefined;
      await it.clock.sleep(60);
      assert.deepEqual((await otherHolders(as('second'))).length, 1, 'it is renewed again');
      assert.equal((await cluster.get('Lease', at))?.spec.holderIdentity, 'first');
      await lease.release();
    }));

test('of two runs that request the lease at once one gets it', () =>
  scene(async ({ as }) => {
    const both = await Promise.all([takeLease(as('a'), unlost), takeLease(as('b'), unlost)]);
    const held = both.filter((lease) => 'release' in lease);
    assert.equal(held.length, 1);
    for (const lease of held) if ('release' in lease) await lease.release();
  }));

test('a lease that another run has taken is reported lost once, and is not deleted', () =>
  scene(async ({ it, cluster, as }) => {
    const losses: string[] = [];
    const lease = await taken(as('first'), ({ message }) => losses.push(message));
    await cluster.patch('Lease', at, { type: 'merge', value: { spec: { holderIdentity: 'thief' } } });
    await it.clock.sleep(120);
    assert.deepEqual(losses, ['Holding Lease default/holdfast: thief has it now']);
    await lease.release();
    assert.equal((await cluster.get('Lease', at))?.spec.holderIdentity, 'thief');
  }));

test('no lease is lost while the API server is away for 40 s, or when the response to a renewal is lost', () =>
  scene(async ({ it, cluster, as }) => {
    const lease = await taken(as('first'));
    const until = it.clock.wallAt() + 40_000;
    it.fault = () => (it.clock.wallAt() < until ? { kind: 'refused' } : undefined);
    await it.clock.sleep(90);
    let answered = 0;
    it.fault = ({ method }) =>
      method === 'PATCH' && answered++ === 0 ? { kind: 'cut', after: 1, quietly: false } : undefined;
    await it.clock.sleep(60);
    assert.equal((await cluster.get('Lease', at))?.spec.holderIdentity, 'first');
    await lease.release();
  }));

test('releasing the lease does not wait for an API server that hangs', () =>
  scene(async ({ it, as }) => {
    const lease = await taken(as('first'));
    it.fault = () => ({ kind: 'hang' });
    const before = it.clock.monotonicSeconds();
    await lease.release();
    assert.ok(it.clock.monotonicSeconds() - before <= 11);
  }));

test('a run that is alive is distinguished from one that was killed', () =>
  scene(async ({ it, cluster, as }) => {
    const lease = await taken(as('run'));
    assert.equal(await hasDied(as('recover'), 'run'), false, 'it renews');
    await lease.release();
    assert.equal(await hasDied(as('recover'), 'run'), true, 'it has given it back');
    const renewTime = microTime(it.clock);
    const spec = { holderIdentity: 'run', leaseDurationSeconds: 60, renewTime };
    await cluster.create({ apiVersion: 'coordination.k8s.io/v1', kind: 'Lease', metadata: at, spec });
    const before = it.clock.monotonicSeconds();
    assert.equal(await hasDied(as('recover'), 'run'), true, 'it does not renew');
    assert.ok(it.clock.monotonicSeconds() - before <= 70);
  }));

test('an API server that is away for a while does not decide whether a run has died', () =>
  scene(async ({ it, cluster, as }) => {
    const renewTime = microTime(it.clock);
    const spec = { holderIdentity: 'run', leaseDurationSeconds: 60, renewTime };
    await cluster.create({ apiVersion: 'coordination.k8s.io/v1', kind: 'Lease', metadata: at, spec });
    const died = hasDied(as('recover'), 'run');
    await it.clock.sleep(7);
    it.fault = () => ({ kind: 'refused' });
    await it.clock.sleep(30);
    it.fault = () => undefined;
    assert.equal(await died, true);
    assert.ok(it.clock.wallAt() - Date.parse(renewTime) <= 70_000);
  }));
