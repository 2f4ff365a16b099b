import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { open, readFile } from 'node:fs/promises';
import { test } from 'node:test';
import { promisify } from 'node:util';
import fc from 'fast-check';
import { processorSeconds } from '../../../../test/support/processor-seconds.ts';
import { ClusterError } from '../../src/outside/cluster-error.ts';
import { type VirtualClock, virtualClock } from '../../src/time/clock.ts';

const epochMs = Date.parse('2026-11-20T10:00:00Z');

/** Runs in virtual time, and asserts that no real work went unheld. */
async function inVirtualTime<T>(main: (clock: VirtualClock) => Promise<T>): Promise<T> {
  const clock = virtualClock(epochMs);
  try {
    return await clock.run(() => main(clock));
  } finally {
    clock.close();
    assert.deepEqual([...clock.unheld], [], 'no unheld work');
  }
}

const realMs = (ms: number) => new Promise<void>((resolve) => setTimeout(resolve, ms));

test('an hour of sleep takes no real time, and wall time and monotonic time both show it', async (t) => {
  // With mocked timers a wait for a real one would never end.
  t.mock.timers.enable({ apis: ['setTimeout'] });
  await inVirtualTime(async (clock) => {
    await clock.sleep(3600);
    assert.equal(clock.wallAt(), epochMs + 3_600_000);
    assert.equal(clock.monotonicSeconds(), 3600);
  });
});

test('sleepers wake in the order of their instants, and those of one instant in the order of their registration', async () => {
  const times = fc.array(fc.integer({ min: 0, max: 5 }), { maxLength: 30 });
  await fc.assert(
    fc.asyncProperty(times, async (seconds) => {
      const woken = await inVirtualTime(async (clock) => {
        const order: number[] = [];
        await Promise.all(seconds.map((time, index) => clock.sleep(time).then(() => order.push(index))));
        return order;
      });
      const expected = seconds
        .map((time, index) => ({ time, index }))
        .sort((a, b) => a.time - b.time || a.index - b.index);
      assert.deepEqual(
        woken,
        expected.map(({ index }) => index),
      );
    }),
    { numRuns: 50 },
  );
});

test('time stands still while promises, async iterators and streams are unsettled', async () => {
  await inVirtualTime(async (clock) => {
    let ticks = 0;
    void (async () => {
      for (;;) {
        await clock.sleep(1);
        ticks += 1;
      }
    })();
    const stream = new ReadableStream({
      start: (controller) => {
        for (let i = 0; i < 100; i += 1) controller.enqueue(i);
        controller.close();
      },
    });
    let sum = 0;
    for await (const piece of stream.pipeThrough(new TransformStream())) sum += Number(piece);
    for (let i = 0; i < 1000; i += 1) await null;
    assert.equal(sum, 4950);
    assert.equal(ticks, 0);
    assert.equal(clock.monotonicSeconds(), 0);
  });
});

test('an aborted sleep rejects with the reason, and time does not jump to its end', async () => {
  await inVirtualTime(async (clock) => {
    const controller = new AbortController();
    const sleeping = clock.sleep(1000, controller.signal);
    void clock.sleep(1).then(() => controller.abort(new Error('enough')));
    await assert.rejects(sleeping, /enough/);
    await assert.rejects(clock.sleep(1, controller.signal), /enough/);
    await clock.sleep(1);
    assert.equal(clock.monotonicSeconds(), 2);
  });
});

test('a signal has one listener however many sleep under it, and none after its sleepers have woken and other signals are in use', async () => {
  await inVirtualTime(async (clock) => {
    const controller = new AbortController();
    let listeners = 0;
    const { addEventListener, removeEventListener } = AbortSignal.prototype;
    controller.signal.addEventListener = function (...args: Parameters<typeof addEventListener>) {
      listeners += 1;
      return addEventListener.apply(this, args);
    };
    controller.signal.removeEventListener = function (...args: Parameters<typeof removeEventListener>) {
      listeners -= 1;
      return removeEventListener.apply(this, args);
    };
    const sleeping = Array.from({ length: 100 }, (_, index) => clock.sleep(index, controller.signal));
    assert.equal(listeners, 1);
    await Promise.all(sleeping);
    for (let other = 0; other < 4; other += 1) await clock.sleep(1, new AbortController().signal);
    assert.equal(listeners, 0);
  });
});

test('a sleeper among 5,000 under one signal costs at most a few times what it costs without a signal', async () => {
  const cost = (signal: AbortSignal | undefined) =>
    processorSeconds(() =>
      inVirtualTime((clock) =>
        Promise.all(
          Array.from({ length: 5000 }, async (_, index) => {
            for (let round = 0; round < 10; round += 1) await clock.sleep(1 + index / 10_000, signal);
          }),
        ),
      ),
    );
  await cost(undefined);
  const [without, under] = [await cost(undefined), await cost(new AbortController().signal)];
  assert.ok(under < 8 * without, `${under} s under a signal, ${without} s without`);
});

test('time stands still while real work is held', async () => {
  await inVirtualTime(async (clock) => {
    let ticks = 0;
    void (async () => {
      for (;;) {
        await clock.sleep(0.001);
        ticks += 1;
      }
    })();
    const text = await clock.hold('read this file', async () => {
      await realMs(20);
      return readFile(import.meta.filename, 'utf8');
    });
    assert.match(text, /read this file/);
    assert.equal(ticks, 0);
  });
});

test('an error of held work is thrown to its holder', async () => {
  await inVirtualTime(async (clock) => {
    await assert.rejects(
      clock.hold('fail', async () => {
        await realMs(1);
        throw new Error('no such file');
      }),
      /no such file/,
    );
  });
});

test('results of three concurrent holds arrive in the order of registration, however long each takes', async () => {
  const orders = new Set<string>();
  for (let run = 0; run < 20; run += 1) {
    const order = await inVirtualTime(async (clock) => {
      const delivered: string[] = [];
      const one = async (name: string) => {
        for (let round = 0; round < 3; round += 1) {
          await clock.hold(name, () => realMs((run * 7 + round * 5 + name.charCodeAt(0) * 3) % 5));
          delivered.push(`${name}@${clock.monotonicSeconds()}`);
          await clock.sleep(0.5);
        }
      };
      await Promise.all([one('a'), one('b'), one('c')]);
      return delivered;
    });
    orders.add(order.join(' '));
  }
  assert.equal(orders.size, 1);
  assert.match([...orders].join(), /^a@0 b@0 c@0 a@0.5/);
});

test('unheld real work keeps time from moving, and its kind is reported', async () => {
  const clock = virtualClock(epochMs, { stallTimeoutSeconds: 5 });
  await clock.run(async () => {
    const reading = readFile(import.meta.filename);
    const sleeping = clock.sleep(10);
    await reading;
    assert.equal(clock.monotonicSeconds(), 0);
    await sleeping;
  });
  assert.notDeepEqual([...clock.unheld], []);
});

test('real work that has just ended does not count as active', async () => {
  const file = await open(import.meta.filename);
  await file.close();
  await inVirtualTime((clock) => clock.sleep(10));
});

test('time stands still while an unheld child process runs', async () => {
  const clock = virtualClock(epochMs, { stallTimeoutSeconds: 5 });
  await clock.run(async () => {
    const child = promisify(execFile)(process.execPath, ['-e', '0']);
    void clock.sleep(1000);
    await child;
    assert.equal(clock.monotonicSeconds(), 0);
  });
  assert.ok(clock.unheld.has('ProcessWrap'));
});

test('a hold that never ends fails the run with an error that names it', async () => {
  const clock = virtualClock(epochMs, { stallTimeoutSeconds: 0.05 });
  const never = clock.run(() => clock.hold('git fetch', () => new Promise(() => {})));
  await assert.rejects(
    never,
    (error) => error instanceof ClusterError && error.message.includes('"git fetch" has been held'),
  );
});

test('held work that sleeps on the clock is a deadlock, which fails the run with an error that names it', async () => {
  const clock = virtualClock(epochMs, { stallTimeoutSeconds: 0.05 });
  const deadlock = clock.run(() => clock.hold('write the journal', () => clock.sleep(1)));
  await assert.rejects(deadlock, /"write the journal" has been held/);
});

test('a run without timers and without active work fails', async () => {
  const clock = virtualClock(epochMs);
  await assert.rejects(
    clock.run(() => new Promise(() => {})),
    /no timer is set/,
  );
});

test('time does not jump to a cancelled timer, even when there is no other', async () => {
  const clock = virtualClock(epochMs);
  const stuck = clock.run(async () => {
    const controller = new AbortController();
    const sleeping = clock.sleep(1000, controller.signal).catch(() => undefined);
    await clock.sleep(1);
    controller.abort();
    await sleeping;
    await new Promise(() => {});
  });
  await assert.rejects(stuck, /from 1 s: no timer is set/);
});

test('unheld work that does not end fails the run with an error that names its kind', async () => {
  const clock = virtualClock(epochMs, { stallTimeoutSeconds: 0.05 });
  const timer = setTimeout(() => {}, 1000);
  await assert.rejects(
    clock.run(() => clock.sleep(1)),
    /nobody holds: Timeout/,
  );
  clearTimeout(timer);
});

test('several clocks in one process do not block each other, even while one of them holds work', async () => {
  const clocks = [1, 2, 3].map(() => virtualClock(epochMs));
  const [slow, ...others] = clocks as [VirtualClock, ...VirtualClock[]];
  const othersEnded = Promise.withResolvers<void>();
  const holding = slow.run(async () => {
    await slow.hold('slow work', async () => {
      const work = setTimeout(() => {}, 60_000);
      await othersEnded.promise;
      clearTimeout(work);
    });
    await slow.sleep(5);
  });
  await Promise.all(
    others.map((clock) =>
      clock.run(async () => {
        for (let i = 0; i < 100; i += 1) await clock.sleep(10);
      }),
    ),
  );
  othersEnded.resolve();
  await holding;
  assert.deepEqual(
    clocks.map((clock) => clock.monotonicSeconds()),
    [5, 1000, 1000],
  );
  for (const clock of clocks) assert.deepEqual([...clock.unheld], []);
});

test('clocks that step at the same time do not take each other for unheld work', async () => {
  const clocks = [1, 2, 3].map(() => virtualClock(epochMs));
  await Promise.all(
    clocks.map((clock) =>
      clock.run(async () => {
        for (let i = 0; i < 100; i += 1) await clock.sleep(1);
      }),
    ),
  );
  for (const clock of clocks) assert.deepEqual([...clock.unheld], []);
});

test('time moves only in a run: sleepers left over from one run sleep on in the next', async () => {
  const clock = virtualClock(epochMs);
  let ticks = 0;
  await clock.run(async () => {
    void (async () => {
      for (;;) {
        await clock.sleep(1);
        ticks += 1;
      }
    })();
    await clock.sleep(2.5);
  });
  await realMs(5);
  assert.equal(ticks, 2);
  await clock.run(() => clock.sleep(2));
  assert.equal(ticks, 4);
  clock.close();
  assert.equal(await clock.hold('after the end', async () => 'done'), 'done');
});
