import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { pod } from '../../packages/embedded-cluster/test/api-server/in-api.ts';
import { connect } from '../../src/cluster/client.ts';
import { ApiError, type Change, type Cluster, type Selectors } from '../../src/cluster/cluster.ts';
import type { Pod } from '../../src/cluster/resources.ts';
import { OperationError } from '../../src/host/errors.ts';
import { type ApiHost, apiHost, type Fault } from './api-host.ts';

/** The changes that a watch emitted; their order is checked as they come. */
class Emitted {
  readonly objects = new Map<string, Pod>();
  readonly types: string[] = [];
  /**
   * Each call of `onGap`: up to when the changes are complete, and when it was called, in seconds since the watch
   * began.
   */
  readonly lost: { readonly since: number; readonly at: number }[] = [];
  take(change: Change<'Pod'>): void {
    this.types.push(change.type);
    if (change.type === 'synced') return;
    const { name, resourceVersion } = change.object.metadata;
    const before = this.objects.get(name)?.metadata.resourceVersion;
    assert.equal(before !== undefined, change.type !== 'added', `${change.type} ${name}`);
    if (change.type === 'modified') assert.notEqual(resourceVersion, before, 'emitted twice');
    if (change.type === 'deleted') this.objects.delete(name);
    else this.objects.set(name, change.object);
  }
}

interface Watching {
  readonly it: ApiHost;
  readonly emitted: Emitted;
  readonly controller: Cluster;
  /** Rejects with what the watch throws; resolves when the signal ended it. */
  readonly ended: Promise<void>;
}

/** A watch of pods through the client, faults and all. */
async function watching(
  main: (watching: Watching) => Promise<void>,
  fault?: ApiHost['fault'],
  where: Selectors = {},
): Promise<void> {
  const it = apiHost();
  if (fault !== undefined) it.fault = fault;
  const client = connect(it.host, { server: 'https://api.example' });
  const stop = new AbortController();
  const emitted = new Emitted();
  await it.clock.run(async () => {
    const ended = (async () => {
      const begunAt = it.clock.wallAt();
      const lost = (sinceAt: number) =>
        emitted.lost.push({ since: (sinceAt - begunAt) / 1000, at: (it.clock.wallAt() - begunAt) / 1000 });
      for await (const change of client.watch('Pod', where, stop.signal, lost)) emitted.take(change);
    })();
    ended.catch(() => undefined);
    await main({ it, emitted, controller: it.server.cluster('controller'), ended });
    stop.abort();
    await ended.catch(() => undefined);
  });
  assert.deepEqual([...it.clock.unheld], []);
}

const watches = (it: ApiHost) => it.requests.filter(({ url }) => url.includes('watch=true')).length;
const lists = (it: ApiHost) => it.requests.length - watches(it);
const touch = (controller: Cluster, name: string, i: number) =>
  controller.patch(
    'Pod',
    { namespace: 'default', name },
    { type: 'merge', value: { metadata: { annotations: { i: String(i) } } } },
  );
/** This fault for the n-th watch, from 0. */
const onWatch = (nth: number, fault: Fault) => {
  let seen = 0;
  return ({ url }: { url: string }) => (url.includes('watch=true') && seen++ === nth ? fault : undefined);
};

test('first every object as added, then synced, then changes, with one list and one watch after the other', () =>
  watching(async ({ it, emitted, controller }) => {
    await controller.create(pod('a'));
    await it.clock.sleep(1);
    assert.deepEqual(emitted.types, ['added', 'synced']);
    await controller.create(pod('b'));
    await touch(controller, 'a', 1);
    await controller.delete('Pod', { namespace: 'default', name: 'b' });
    await it.clock.sleep(100);
    assert.deepEqual(emitted.types.slice(2), ['added', 'modified', 'deleted']);
    assert.deepEqual([lists(it), watches(it)], [1, 4]);
  }));

test('everything is listed again every five minutes, and only differences are emitted', () =>
  watching(async ({ it, emitted, controller }) => {
    await controller.create(pod('a'));
    await it.clock.sleep(640);
    assert.equal(lists(it), 3);
    assert.deepEqual([emitted.types, emitted.lost], [['added', 'synced'], []]);
  }));

test('an event that was lost silently follows from the next list', () =>
  watching(
    async ({ it, emitted, controller }) => {
      await it.clock.sleep(1);
      await controller.create(pod('lost'));
      await it.clock.sleep(1);
      await controller.create(pod('seen'));
      await it.clock.sleep(60);
      assert.deepEqual([...emitted.objects.keys()], ['seen']);
      await it.clock.sleep(300);
      assert.deepEqual([...emitted.objects.keys()], ['seen', 'lost']);
    },
    onWatch(0, { kind: 'lossy', piece: 1 }),
  ));

test('a silent watch is detected within 35 seconds', () =>
  watching(
    async ({ it, emitted, controller }) => {
      await it.clock.sleep(1);
      await controller.create(pod('a'));
      await it.clock.sleep(33);
      assert.deepEqual([emitted.types, emitted.lost.length], [['synced'], 0]);
      await it.clock.sleep(3);
      assert.deepEqual([emitted.types, emitted.lost.length], [['synced', 'added', 'synced'], 1]);
    },
    onWatch(0, { kind: 'silent', after: 0 }),
  ));

test('a watch that breaks in the middle of an event loses nothing', () =>
  watching(
    async ({ it, emitted, controller }) => {
      await it.clock.sleep(5);
      await controller.create(pod('a'));
      await it.clock.sleep(2);
      assert.deepEqual(emitted.types, ['synced', 'added']);
    },
    onWatch(0, { kind: 'cut', after: 1, quietly: true }),
  ));

test('an expired resource version leads to a new list', () =>
  watching(
    async ({ it, emitted, controller }) => {
      await controller.create(pod('a'));
      await it.clock.sleep(3);
      assert.equal(lists(it), 2);
      await touch(controller, 'a', 1);
      await it.clock.sleep(1);
      assert.deepEqual(emitted.types, ['added', 'synced', 'modified']);
    },
    onWatch(0, {
      kind: 'answer',
      status: 200,
      text: '{"type":"ERROR","object":{"kind":"Status","code":410,"reason":"Expired"}}\n',
    }),
  ));

test('an object that was deleted and created again during a gap is emitted as deleted and added', () =>
  watching(
    async ({ it, emitted, controller }) => {
      await controller.create(pod('a'));
      await it.clock.sleep(1);
      await controller.delete('Pod', { namespace: 'default', name: 'a' });
      await controller.create(pod('a'));
      await it.clock.sleep(40);
      assert.deepEqual(emitted.types, ['added', 'synced', 'deleted', 'added', 'synced']);
    },
    onWatch(0, { kind: 'silent', after: 0 }),
  ));

test('an unreachable server is retried after one second, then two, up to thirty', () =>
  watching(async ({ it, emitted, controller }) => {
    await it.clock.sleep(1);
    it.fault = () => ({ kind: 'refused' });
    await it.clock.sleep(600);
    const asked = it.requests.length;
    assert.ok(asked > 20 && asked < 120, `${asked} requests in ten minutes`);
    await controller.create(pod('a'));
    it.fault = () => undefined;
    await it.clock.sleep(40);
    assert.deepEqual(emitted.types, ['synced', 'added', 'synced']);
  }));

for (const [what, fault] of [
  ['whose server is away', { kind: 'refused' }],
  ['whose packets are dropped', { kind: 'hang' }],
] as const) {
  test(`a silence ${what} is reported once, 35 seconds after the last answer, and synced is emitted when it is over`, () =>
    watching(async ({ it, emitted, controller }) => {
      await it.clock.sleep(97);
      it.fault = () => fault;
      await controller.create(pod('a'));
      await it.clock.sleep(60);
      assert.equal(emitted.lost.length, 1);
      const [{ since, at } = { since: 0, at: 0 }] = emitted.lost;
      assert.ok(since > 97 && since <= 121, `since ${since} s`);
      assert.ok(at >= since + 35 && at < since + 36, `at ${at} s since ${since} s`);
      await it.clock.sleep(600);
      it.fault = () => undefined;
      await it.clock.sleep(60);
      assert.deepEqual([emitted.types, emitted.lost.length], [['synced', 'added', 'synced'], 1]);
    }));
}

test('a list that is answered late shows what is there, and leaves open what came and went', () =>
  watching(async ({ it, emitted, controller }) => {
    await it.clock.sleep(2);
    let questions = 0;
    it.fault = () => (questions++ < 2 ? { kind: 'hang' } : undefined);
    await it.clock.sleep(30);
    await controller.create(pod('came'));
    await controller.delete('Pod', { namespace: 'default', name: 'came' });
    await it.clock.sleep(200);
    assert.deepEqual([emitted.types, emitted.lost.length], [['synced', 'synced'], 1]);
  }));

test('a slow first list is no silence', () =>
  watching(
    async ({ it, emitted }) => {
      await it.clock.sleep(60);
      assert.deepEqual([emitted.types, emitted.lost], [['synced'], []]);
    },
    (_, index) => (index === 0 ? { kind: 'hang' } : undefined),
  ));

test('an immediate reconnect and a new list after a 410 are no silence, whenever they happen in a quiet watch', async () => {
  for (const seconds of [0.5, 15, 29.9]) {
    await watching(
      async ({ it, emitted }) => {
        await it.clock.sleep(120);
        assert.deepEqual([lists(it), emitted.types, emitted.lost], [2, ['synced'], []], `${seconds} s`);
      },
      onWatch(1, { kind: 'reset', seconds }),
    );
  }
  const expired = '{"type":"ERROR","object":{"kind":"Status","code":410,"reason":"Expired"}}\n';
  await watching(
    async ({ it, emitted }) => {
      await it.clock.sleep(120);
      assert.deepEqual([lists(it), emitted.types, emitted.lost], [2, ['synced'], []]);
    },
    onWatch(1, { kind: 'answer', status: 200, text: expired }),
  );
});

test('three lists in a row without a watch between them are a gap', () =>
  watching(async ({ it, emitted }) => {
    it.fault = ({ url }) => (url.includes('watch=true') ? { kind: 'refused' } : undefined);
    await it.clock.sleep(2);
    assert.deepEqual([emitted.types, emitted.lost], [['synced'], []]);
    await it.clock.sleep(60);
    assert.ok(emitted.lost.length >= 2 && emitted.lost.length <= 6, `${emitted.lost.length} silences`);
    it.fault = () => undefined;
    await it.clock.sleep(60);
    assert.equal(emitted.types.length, emitted.lost.length + 1);
  }));

/** Five pages, and a list of them that is asked for 10 s from now; each page takes four seconds. */
async function beforeLargeList({ it, emitted, controller }: Watching): Promise<void> {
  for (let i = 0; i < 2200; i += 1) await controller.create(pod(`pod-${i}`));
  await it.clock.sleep(290);
  assert.deepEqual([lists(it), emitted.lost], [5, []]);
}
const isPage = ({ url }: { url: string }) => url.includes('limit=');
const slowPage: Fault = { kind: 'slow', seconds: 4 };

/** Nobody answers any more once so many pages were there. */
function awayAfter(goodPages: number): ApiHost['fault'] {
  let pages = 0;
  return (request) => {
    if (isPage(request)) pages += 1;
    if (pages === 0) return undefined;
    return isPage(request) && pages <= goodPages ? slowPage : { kind: 'hang' };
  };
}

test('a large list that comes page by page is no silence', () =>
  watching(async (at) => {
    await beforeLargeList(at);
    at.it.fault = (request) => (isPage(request) ? slowPage : undefined);
    await at.it.clock.sleep(60);
    assert.deepEqual([lists(at.it), at.emitted.types.at(-1), at.emitted.lost], [10, 'synced', []]);
  }));

test('a large list that breaks off is a gap, and so are complete lists without a watch after them', async () => {
  for (const [goodPages, seconds] of [
    [3, 12 + 35],
    [5, 20 + 35],
  ] as const)
    await watching(async (at) => {
      await beforeLargeList(at);
      at.it.fault = awayAfter(goodPages);
      await at.it.clock.sleep(100);
      const [{ since, at: calledAt } = { since: 0, at: 0 }] = at.emitted.lost;
      assert.equal(at.emitted.lost.length, 1);
      assert.ok(Math.abs(calledAt - since - seconds) < 1, `onGap after ${calledAt} s since ${since} s`);
    });
});

test('a machine that was suspended has a gap, also if the list succeeds right after it', async () => {
  const it = apiHost();
  let slept = 0;
  const clock = { ...it.clock, wallAt: () => it.clock.wallAt() + slept };
  const stop = new AbortController();
  const lost: number[] = [];
  const types: string[] = [];
  await it.clock.run(async () => {
    const client = connect({ ...it.host, clock }, { server: 'https://api.example' });
    const ended = (async () => {
      for await (const { type } of client.watch('Pod', {}, stop.signal, (since) => lost.push(since))) types.push(type);
    })();
    await it.clock.sleep(1);
    it.fault = onWatch(0, { kind: 'reset', seconds: 2 });
    await it.clock.sleep(30);
    slept = 600_000;
    await it.clock.sleep(60);
    stop.abort();
    await ended;
  });
  assert.deepEqual([types, lost.length], [['synced', 'synced'], 1]);
});

test('a watch that starts late still sends every change, so that it ends the silence', () =>
  watching(async ({ it, emitted }) => {
    const late: readonly Fault[] = [
      { kind: 'cut', after: 0, quietly: true },
      { kind: 'answer', status: 200, afterSeconds: 34.5 },
    ];
    let watched = 0;
    it.fault = ({ url }) => (url.includes('watch=true') ? late[watched++] : undefined);
    await it.clock.sleep(120);
    assert.deepEqual([lists(it), emitted.types, emitted.lost.length], [1, ['synced', 'synced'], 1]);
  }));

test('a server that ends every watch at once gets at most one request a second', () =>
  watching(async ({ it }) => {
    it.fault = ({ url }) => (url.includes('watch=true') ? { kind: 'cut', after: 0, quietly: true } : undefined);
    await it.clock.sleep(60);
    assert.ok(watches(it) <= 61, `${watches(it)} watches in a minute`);
  }));

test('a failure of the first list is thrown, and so is a permission that is withdrawn later', async () => {
  await watching(
    async ({ it, ended }) => {
      await it.clock.sleep(10);
      await assert.rejects(ended, (error) => error instanceof OperationError && !(error instanceof ApiError));
    },
    () => ({ kind: 'refused' }),
  );
  await watching(async ({ it, ended }) => {
    await it.clock.sleep(5);
    it.fault = () => ({ kind: 'answer', status: 403, text: '{"reason":"Forbidden","message":"no"}' });
    await it.clock.sleep(60);
    await assert.rejects(ended, (error) => error instanceof ApiError && error.status === 403);
  });
});

test('the signal ends a watch without an error at any time', async () => {
  for (const fault of [undefined, { kind: 'hang' }, { kind: 'silent', after: 0 }] as const) {
    for (const seconds of [0, 0.0005, 5, 20]) {
      const it = apiHost();
      const stop = new AbortController();
      await it.clock.run(async () => {
        const ended = (async () => {
          for await (const _ of connect(it.host, { server: 'https://api.example' }).watch('Pod', {}, stop.signal));
        })();
        await it.clock.sleep(0.01);
        it.fault = () => fault;
        await it.clock.sleep(seconds);
        stop.abort();
        await ended;
        assert.ok(it.clock.monotonicSeconds() < seconds + 1);
      });
    }
  }
});

test('a watch is limited to its namespace and labels', () =>
  watching(
    async ({ it, emitted, controller }) => {
      await controller.create(pod('a'));
      await controller.create({
        ...pod('b'),
        metadata: { name: 'b', namespace: 'kube-system', labels: { app: 'nginx-test' } },
      });
      await controller.create({ ...pod('c'), metadata: { name: 'c', namespace: 'default', labels: { app: 'other' } } });
      await it.clock.sleep(1);
      assert.deepEqual([...emitted.objects.keys()], ['a']);
    },
    undefined,
    { namespace: 'default', labelSelector: 'app=nginx-test' },
  ));

const pieces = fc.integer({ min: 0, max: 3 });
const fault: fc.Arbitrary<Fault | undefined> = fc.oneof(
  fc.constant(undefined),
  fc.constantFrom<Fault>({ kind: 'refused' }, { kind: 'hang' }),
  fc
    .constantFrom(409, 410, 429, 500, 503)
    .map((status): Fault => ({ kind: 'answer', status, text: JSON.stringify({ code: status, reason: '' }) })),
  fc.record({ kind: fc.constant('cut' as const), after: pieces, quietly: fc.boolean() }),
  fc.record({ kind: fc.constant('silent' as const), after: pieces }),
  fc.record({ kind: fc.constant('lossy' as const), piece: pieces }),
  fc.record({ kind: fc.constantFrom('slow' as const, 'reset' as const), seconds: fc.constantFrom(0.5, 4, 9.5, 20) }),
  fc.constant<Fault>({ kind: 'answer', status: 200, text: '{"type":"ERROR","object":{"code":410}}\n{"items' }),
);
const operate = {
  create: (controller: Cluster, name: string): Promise<unknown> => controller.create(pod(name)),
  touch: (controller: Cluster, name: string, i: number): Promise<unknown> => touch(controller, name, i),
  delete: (controller: Cluster, name: string): Promise<unknown> =>
    controller.delete('Pod', { namespace: 'default', name }),
} as const;
const operation = fc.record({
  what: fc.constantFrom('create' as const, 'touch' as const, 'delete' as const),
  name: fc.constantFrom('a', 'b', 'c'),
  afterSeconds: fc.constantFrom(0, 0, 0.5, 3, 20, 50),
});

test('after any operations and faults the emitted changes add up to a new list, none of them twice', () =>
  fc.assert(
    fc.asyncProperty(fc.array(operation, { maxLength: 25 }), fc.array(fault, { maxLength: 30 }), (operations, faults) =>
      watching(async ({ it, emitted, controller }) => {
        await it.clock.sleep(0.1);
        let left = faults;
        it.fault = () => {
          const [next, ...rest] = left;
          left = rest;
          return next;
        };
        for (const [i, { what, name, afterSeconds }] of operations.entries()) {
          await it.clock.sleep(afterSeconds);
          await operate[what](controller, name, i).catch(() => undefined);
        }
        left = [];
        await it.clock.sleep(500);
        const fresh = await controller.list('Pod');
        assert.deepEqual(
          new Map(fresh.map((object) => [object.metadata.name, object])),
          new Map([...emitted.objects].toSorted()),
        );
      }),
    ),
    { numRuns: 150 },
  ));
