import assert from 'node:assert/strict';
import { test } from 'node:test';
import { deploy } from '../../src/deployment/deploy.ts';
import { OperationError } from '../../src/host/errors.ts';
import type { Host } from '../../src/host/host.ts';
import { quietHost } from './support/quiet-host.ts';
import { buildSite } from './support/site.ts';

test('a log on a disk that becomes full does not stop the deploy half-way, and is reported once', async (t) => {
  const site = await buildSite(t);
  const commit = site.push({ page: 'two' });
  const host = quietHost();
  const full: Host = {
    ...host,
    files: {
      ...host.files,
      append: async (path, options) => {
        const appender = await host.files.append(path, options);
        if (!path.endsWith('deploy.log')) return appender;
        const write = async () => {
          throw new OperationError({
            tried: 'Appending to',
            on: path,
            reason: 'no space left on the device (ENOSPC)',
          });
        };
        return { ...appender, write };
      },
    },
  };
  const document = await deploy(full, site.settings());
  assert.equal(document.state, 'verified');
  assert.equal(site.head(), commit);
  assert.equal(host.said().match(/can no longer be written/g)?.length, 1);
});

test('a journal that cannot be written stops the deploy before anything is touched', async (t) => {
  const site = await buildSite(t);
  const before = site.head();
  site.push({ page: 'two' });
  const host = quietHost();
  const full: Host = {
    ...host,
    files: {
      ...host.files,
      append: async (path, options) => {
        const appender = await host.files.append(path, options);
        if (!path.endsWith('journal.jsonl')) return appender;
        const sync = async () => {
          throw new OperationError({ tried: 'Syncing', on: path, reason: 'no space left on the device (ENOSPC)' });
        };
        return { ...appender, sync };
      },
    },
  };
  const document = await deploy(full, site.settings());
  assert.equal(document.exitCode, 1);
  assert.equal(site.head(), before);
});

test('a clock that jumps changes no duration', async (t) => {
  const site = await buildSite(t);
  site.push({ page: 'two' });
  const host = quietHost();
  let jump = 0;
  const jumping: Host = { ...host, clock: { ...host.clock, wallAt: () => host.clock.wallAt() - 3_600_000 * jump++ } };
  const document = await deploy(jumping, site.settings());
  assert.equal(document.state, 'verified', site.log());
  for (const { seconds } of document.steps) assert.ok(seconds >= 0 && seconds < 60);
});

test('a step that hangs is ended after its time, and is a failed verification', async (t) => {
  const site = await buildSite(t);
  site.push({ page: 'two' });
  const caches = { clear: [], rebuild: [{ name: 'hang', command: ['sleep', '300'], timeout: '300ms' }] };
  const document = await deploy(quietHost(), site.settings({}, { caches }));
  assert.equal(document.state, 'rolled-back');
  assert.match(site.log(), /^ {2}hang was ended after 300 ms$/m);
});

test('an error after the outcome is decided does not change it', async (t) => {
  const site = await buildSite(t);
  site.push({ page: 'two' });
  const host = quietHost();
  const failing: Host = {
    ...host,
    files: {
      ...host.files,
      list: (path) => {
        if (path.endsWith('/runs')) throw new OperationError({ tried: 'Listing', on: path, reason: 'broken' });
        return host.files.list(path);
      },
    },
  };
  const document = await deploy(failing, site.settings());
  assert.equal(document.state, 'verified');
  assert.equal(document.exitCode, 0);
});

test('a reset that exits 0 at another commit is a failed one', async (t) => {
  const site = await buildSite(t);
  const before = site.head();
  site.push({ page: 'two' });
  const host = quietHost();
  const lying: Host = {
    ...host,
    run: (command, options) => host.run(command.includes('reset') ? ['true'] : command, options),
  };
  const document = await deploy(lying, site.settings());
  assert.equal(document.exitCode, 1);
  assert.equal(site.head(), before);
});

test('a program of the commit that is not there and one that cannot be executed are failed steps', async (t) => {
  const site = await buildSite(t);
  site.push({ page: 'two' });
  for (const program of ['./no-such-program', './page']) {
    const caches = { clear: [], rebuild: [{ name: 'missing', command: [program] }] };
    const document = await deploy(quietHost(), site.settings({ again: true }, { caches }));
    assert.equal(document.state, 'rolled-back', site.log());
  }
  assert.match(site.log(), /^\[ERROR\] Step missing failed: exit code 12[67]: \.\/\S+/m);
});
