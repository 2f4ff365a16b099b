import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { test } from 'node:test';
import { allowManyLookUps, lookUp } from '../../../src/host/probe/look-up.ts';

test('a name is looked up in the system, IPv4 first, and what comes instead of an address is a value', async () => {
  assert.deepEqual(await lookUp('localhost'), { address: '127.0.0.1' });
  assert.match(JSON.stringify(await lookUp('no-such-name.invalid')), /^\{"failed":"E/);
});

test('each look-up is fresh, but of one name only so many are under way at once', async () => {
  const first = lookUp('no-such-name.invalid');
  const second = lookUp('no-such-name.invalid');
  assert.notEqual(first, second);
  const many = Array.from({ length: 40 }, () => lookUp('no-such-name.invalid'));
  assert.equal(new Set([first, second, ...many]).size, 12);
  const other = lookUp('localhost');
  assert.ok(![first, second, ...many].includes(other), 'another name is not held up');
  await Promise.all([first, second, ...many, other]);
  assert.notEqual(lookUp('no-such-name.invalid'), many.at(-1));
});

test('there are threads for many look-ups at once, unless the environment says how many', async (t) => {
  if (process.platform !== 'linux') return t.skip('threads are counted in /proc');
  const before = process.env.UV_THREADPOOL_SIZE;
  allowManyLookUps();
  assert.equal(process.env.UV_THREADPOOL_SIZE, before ?? '64');
  const script = `import { allowManyLookUps, lookUp } from '${import.meta.dirname}/../../../src/host/probe/look-up.ts';
    import { readdirSync } from 'node:fs';
    allowManyLookUps();
    await lookUp('localhost');
    console.log(readdirSync('/proc/self/task').length);`;

  const { UV_THREADPOOL_SIZE: _, ...env } = process.env;
  const threads = Number(
    execFileSync(process.execPath, ['--input-type=module', '-e', script], { env, encoding: 'utf8' }),
  );
  assert.ok(threads >= 64, `${threads} threads`);
});
