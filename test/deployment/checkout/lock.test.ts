import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { acquireLock, type Lock } from '../../../src/deployment/checkout/lock.ts';
import type { Owner } from '../../../src/deployment/checkout/owner.ts';
import type { Files } from '../../../src/host/host.ts';

const folder = '/state';
const owner = (pid: number): Owner => ({
  token: `${pid}-1-x`,
  pid,
  startTicks: '1',
  bootId: 'boot',
  hostName: 'host',
  firstProcess: '3',
  userId: 0,
  acquiredAt: 'T',
});
const stat = (pid: number) => `${pid} (no de) x) S ${'0 '.repeat(18)}1 0`;

class Killed extends Error {}

function unlessKilled(error: unknown): void {
  if (!(error instanceof Killed)) throw error;
}

/** Files in memory that all processes share; each process's view can be killed between any two operations. */
function world() {
  const content = new Map<string, string>();
  const alive = new Set<number>();
  const viewOf = (pid: number, pause: () => Promise<void>): Files => {
    const step = async <T>(work: () => T): Promise<T> => {
      await pause();
      if (!alive.has(pid)) throw new Killed();
      return work();
    };
    return {
      read: (path: string) =>
        step(() => {
          const process = /^\/proc\/(\d+)\/stat$/.exec(path);
          if (process === null) return content.get(path);
          return alive.has(Number(process[1])) ? stat(Number(process[1])) : undefined;
        }),
      create: (path: string, text: string) => step(() => !content.has(path) && content.set(path, text).has(path)),
      replace: (path: string, text: string) => step(() => void content.set(path, text)),
      remove: (path: string) => step(() => void content.delete(path)),
    } as unknown as Files;
  };
  return { content, alive, viewOf };
}

test('whichever process is killed at any point, two never hold the lock, and it is never stuck', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.scheduler(),
      fc.array(fc.option(fc.nat({ max: 14 }), { freq: 2 }), { minLength: 2, maxLength: 6 }),
      async (scheduler, killedAfter) => {
        const { content, alive, viewOf } = world();
        const holders = new Set<number>();
        const turn = (name: string) => scheduler.schedule(Promise.resolve(), name);
        const mortal = (pid: number, steps: number | null): Files => {
          let left = steps ?? Number.POSITIVE_INFINITY;
          alive.add(pid);
          return viewOf(pid, async () => {
            await turn(`${pid}`);
            if (left-- > 0) return;
            alive.delete(pid);
            holders.delete(pid);
          });
        };
        const live = async (pid: number, steps: number | null): Promise<void> => {
          const acquired = await acquireLock(mortal(pid, steps), folder, owner(pid));
          if (!('lock' in acquired)) return;
          holders.add(pid);
          await turn(`${pid} deploys`);
          assert.equal(holders.size, 1, `held by ${[...holders].join(' and ')}`);
          holders.delete(pid);
          await acquired.lock.release();
        };
        content.set(`${folder}/lock.json`, JSON.stringify(owner(1)));
        const lives = killedAfter.map((steps, index) => live(index + 2, steps).catch(unlessKilled));
        await scheduler.waitFor(Promise.all(lives));
        for (const pid of alive) alive.delete(pid);
        alive.add(99);
        const last = await acquireLock(
          viewOf(99, async () => {}),
          folder,
          owner(99),
        );
        assert.ok('lock' in last, 'somebody can always have it in the end');
        await last.lock.release();
        assert.equal(content.has(`${folder}/lock.json`), false);
      },
    ),
    { numRuns: 400 },
  );
});

test('only the owner releases a lock', async () => {
  const { content, alive, viewOf } = world();
  alive.add(2).add(3);
  const files = viewOf(2, async () => {});
  const acquired = (await acquireLock(files, folder, owner(2))) as { lock: Lock };
  content.set(`${folder}/lock.json`, JSON.stringify(owner(3)));
  await acquired.lock.release();
  assert.match(content.get(`${folder}/lock.json`) ?? '', /"pid":3/);
});
