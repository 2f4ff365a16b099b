import assert from 'node:assert/strict';
import { existsSync, rmSync, utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { askPool } from '../../../src/deployment/opcache/ask-pool.ts';
import { buildLaravel, needsLaravel } from '../support/laravel.ts';
import { quietHost } from '../support/quiet-host.ts';

const checkoutAt = (app: string) => ({ directory: app, stateFolder: join(app, '.git/holdfast') });
const ours = { timeoutSeconds: 10, isOurs: true } as const;
/** Lasts for so long, or until it is let go. */
const slowPage = `<?php touch(__DIR__ . '/started');
if (isset($_GET['microseconds'])) usleep((int) $_GET['microseconds']); else while (!file_exists(__DIR__ . '/go-on')) usleep(1000);`;

test('old code is forgotten while no request runs, and a request that runs for long is not waited for', async (t) => {
  if (!needsLaravel(t)) return;
  const { app, fastcgi, get, write } = await buildLaravel(t);
  write('public/slow.php', slowPage);
  const started = join(app, 'public/started');
  /** Whether such a request was over when the pool had forgotten. */
  const isAwaited = async (query: string): Promise<boolean> => {
    write('public/page.php', '<?php echo 1;');
    // What is younger than two seconds is not compiled for keeping.
    utimesSync(join(app, 'public/page.php'), 1, 1);
    await get('page.php');
    write('public/page.php', '<?php echo 2;');
    rmSync(started, { force: true });
    let isOver = false;
    const request = get(`slow.php${query}`).then(() => {
      isOver = true;
    });
    while (!existsSync(started)) await new Promise(setImmediate);
    const { forgotten } = await askPool(quietHost(), fastcgi, checkoutAt(app), { ...ours, action: 'forget' });
    const wasOver = isOver;
    assert.equal(forgotten, true);
    assert.match((await get('page.php')).body, /2/);
    writeFileSync(join(app, 'public/go-on'), '');
    await request;
    return wasOver;
  };
  let awaited = 0;
  // A busy machine may make one of them last for longer than is waited.
  for (let round = 0; round < 5; round++) if (await isAwaited('?microseconds=30000')) awaited++;
  assert.ok(awaited >= 3, `${awaited} of 5 were awaited`);
  rmSync(join(app, 'public/go-on'));
  assert.equal(await isAwaited(''), false);
});

test('the pool reports whether pages are being requested', async (t) => {
  if (!needsLaravel(t)) return;
  const { app, fastcgi, get } = await buildLaravel(t);
  const isVisited = async () =>
    (await askPool(quietHost(), fastcgi, checkoutAt(app), { ...ours, action: 'look' })).visited;
  const meanwhile = async (visit: () => Promise<unknown>, expected: boolean): Promise<void> => {
    const end = performance.now() + 10_000;
    do {
      await visit();
      if ((await isVisited()) === expected) return;
      await new Promise((resolve) => setTimeout(resolve, 200));
    } while (performance.now() < end);
    assert.fail(`visited is never ${expected}`);
  };
  await meanwhile(() => get('/'), true);
  await meanwhile(async () => {}, false);
});
