import assert from 'node:assert/strict';
import { execFileSync, spawnSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { test } from 'node:test';
import { allowManyLookUps, lookUp } from '../../../src/host/probe/look-up.ts';
import { needs } from '../../support/needs.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';

test('a name is looked up by the system’s resolver, and a failure is a value', async () => {
  assert.match(JSON.stringify(await lookUp('localhost')), /^\{"address":"(?:127\.0\.0\.1|::1)"\}$/);
  assert.match(JSON.stringify(await lookUp('no-such-name.invalid')), /^\{"failed":"E/);
});

test('each look-up is new, but the concurrent look-ups of one name are limited', async () => {
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

test('an address without a route is not tried', (t) => {
  if (!needs(t, 'unshare') || !needs(t, 'ip')) return;
  const folder = temporaryFolder(t);
  writeFileSync(`${folder}/hosts`, '192.0.2.1 app.test\n::1 app.test\n');
  const script = `import { lookUp } from '${import.meta.dirname}/../../../src/host/probe/look-up.ts';
    console.log(JSON.stringify(await lookUp('app.test')));`;
  const alone = 'set -e; mount --bind hosts /etc/hosts; ip link set lo up; ip route get ::1; exec "$@"';
  const words = ['-rmn', 'sh', '-c', alone, 'sh', process.execPath, '--input-type=module', '-e', script];
  const { stdout, status } = spawnSync('unshare', words, { encoding: 'utf8', cwd: folder });
  if (status !== 0) return t.skip('no network of its own with IPv6 can be made here');
  assert.match(stdout, /\{"address":"::1"\}\n$/);
});

test('a look-up without a free file descriptor says nothing about the name, whatever the resolver answers', () => {
  const script = `import { lookUp } from '${import.meta.dirname}/../../../src/host/probe/look-up.ts';
    import { openSync } from 'node:fs';
    const free = [];
    try { for (;;) free.push(openSync('/dev/null')); } catch {}
    const answers = [await lookUp('localhost'), await lookUp('no-such-name.invalid')];
    console.log(JSON.stringify(answers));`;
  const limited = ['-c', 'ulimit -n 64; exec "$0" --input-type=module -e "$1"', process.execPath, script];
  const [short, other] = JSON.parse(execFileSync('sh', limited, { encoding: 'utf8' }));
  assert.deepEqual([short, other], [{ short: 'EMFILE' }, { short: 'EMFILE' }]);
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
