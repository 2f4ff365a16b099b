import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { appendFileSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { Ajv } from 'ajv';
import type { FleetDocument } from '../../src/fleet/document.ts';
import { until } from '../deployment/support/holdfast.ts';
import { needsSsh } from '../deployment/support/over-ssh.ts';
import { buildFleet, type TestServer } from './support/servers.ts';

const schemaOf = (name: string) => JSON.parse(readFileSync(new URL(`../../schemas/${name}`, import.meta.url), 'utf8'));
const ajv = new Ajv({ allErrors: true, strict: true, strictRequired: false, allowUnionTypes: true });
ajv.addSchema(schemaOf('deploy.schema.json'), 'deploy.schema.json');
const validate = ajv.compile(schemaOf('deploy-hosts.schema.json'));

function documentIn(stdout: string): FleetDocument {
  const document: FleetDocument = JSON.parse(stdout);
  assert.ok(validate(document), JSON.stringify(validate.errors));
  return document;
}
const states = ({ hosts }: FleetDocument) =>
  hosts.map(({ host, state, undone }) => `${host} ${state}${undone ? ' undone' : ''}`);

/** By git and by HTTP: the commit, whole, and what visitors get. */
async function isAt({ site, name }: TestServer, commit: string): Promise<void> {
  assert.equal(site.head(), commit, name);
  assert.equal(site.git(site.app, 'status', '--porcelain', '--untracked-files=no'), '', name);
  assert.equal(site.read('storage/cached-page'), site.read('page'), name);
  assert.equal((await fetch(site.healthUrl)).status, 200, name);
}

/** Holds the server's deploy where its caches are rebuilt, does something to it, and lets it go on. */
async function whileHeld({ site }: TestServer, work: () => void | Promise<void>): Promise<void> {
  const calls = site.artisanCalls().length;
  await until(
    () =>
      site
        .artisanCalls()
        .slice(calls)
        .some((call) => call.startsWith('config:cache')),
    'the caches are rebuilt',
  );
  await work();
  rmSync(join(site.app, 'hold-config:cache'));
}

test('three servers over real ssh: one commit whatever is pushed, batches, one that fails, all or nothing, status', async (t) => {
  if (!needsSsh(t)) return;
  const fleet = await buildFleet(t, 3);
  const [first] = fleet.servers as [TestServer, ...TestServer[]];
  const pushed = `git -C '${first.site.developer}' push --quiet origin HEAD:main`;
  const around = [
    '--drain',
    `echo drain {host} >> ${fleet.folder}/lb; test {host} != web2 || ${pushed}`,
    '--restore',
    `echo restore {host} >> ${fleet.folder}/lb`,
  ];
  const two = fleet.push({ page: 'two' });
  const meanwhile = fleet.push({ page: 'pushed between two batches' }, 'other');

  const good = await fleet.run('deploy', '--json', '--batch', '1,100%', ...around);
  assert.deepEqual(
    [good.exitCode, states(documentIn(good.stdout))],
    [0, ['web1 verified', 'web2 verified', 'web3 verified']],
    good.stderr,
  );
  for (const server of fleet.servers) await isAt(server, two);
  assert.equal(first.site.git(first.site.remote, 'rev-parse', 'main'), meanwhile);
  const balancer = readFileSync(join(fleet.folder, 'lb'), 'utf8').trim().split('\n');
  assert.deepEqual(balancer.slice(0, 2), ['drain web1', 'restore web1']);
  assert.deepEqual(
    balancer.toSorted(),
    [1, 2, 3].flatMap((n) => [`drain web${n}`]).concat([1, 2, 3].map((n) => `restore web${n}`)),
  );
  assert.match(good.stderr, /^web1: verified at \w{7}$/m);

  first.site.git(first.site.remote, 'tag', 'v2', two);
  for (const [commit, exitCode, at] of [
    [meanwhile.slice(0, 10), 0, meanwhile],
    ['f'.repeat(40), 1, meanwhile],
    ['v2', 0, two],
  ] as const) {
    const ended = await fleet.run('deploy', '--json', '--batch', '1,100%', '--commit', commit);
    const { hosts, exitCode: code } = documentIn(ended.stdout);
    assert.equal(code, exitCode, ended.stderr);
    for (const server of fleet.servers) await isAt(server, at);
    if (exitCode === 0) continue;
    assert.deepEqual([hosts[0]?.state, hosts[1]?.state, hosts[2]?.state], ['aborted', 'not-begun', 'not-begun']);
    assert.match(hosts[0]?.because ?? '', /Git fetch failed: origin has neither a tag nor a commit f{40}/);
  }

  fleet.push({ page: 'three' });
  first.site.push({ status: '500' }, 'broken');
  writeFileSync(
    join(fleet.folder, 'hosts'),
    readFileSync(join(fleet.folder, 'hosts'), 'utf8').replace(/^web3/m, 'web3 branch=broken'),
  );
  const bad = await fleet.run('deploy', '--json', '--batch', '2,1', '--all-or-nothing');
  assert.deepEqual(
    [bad.exitCode, states(documentIn(bad.stdout))],
    [3, ['web1 verified undone', 'web2 verified undone', 'web3 rolled-back']],
    bad.stderr,
  );
  for (const server of fleet.servers) await isAt(server, two);

  first.site.git(first.site.app, 'reset', '--quiet', '--hard', 'HEAD~1');
  const unlike = await fleet.run('status', '--json');
  const { problems, hosts } = JSON.parse(unlike.stdout);
  assert.equal(unlike.exitCode, 1);
  assert.match(problems.join(), /different commits: 1 at \w{7}, 1 at \w{7}/);
  assert.equal(hosts.length, 3);

  const back = await fleet.run('rollback', two, '--json', '--batch', '100%');
  assert.deepEqual([back.exitCode, states(documentIn(back.stdout)).length], [0, 3], back.stdout);
  for (const server of fleet.servers) await isAt(server, two);
});

test('a lost connection, a killed program and a killed control leave no server half', async (t) => {
  if (!needsSsh(t)) return;
  const fleet = await buildFleet(t, 1);
  const [server] = fleet.servers as [TestServer];
  const { site } = server;
  const hold = () => site.write('hold-config:cache', '');

  const two = fleet.push({ page: 'two' });
  hold();
  const cut = fleet.start('deploy', '--json');
  await whileHeld(server, () => server.cutConnections());
  const ended = await cut.ended;
  assert.deepEqual([ended.exitCode, states(documentIn(ended.stdout))], [0, ['web1 verified']], ended.stderr);
  assert.match(ended.stderr, /asking how it ended/);
  await isAt(server, two);

  fleet.push({ page: 'three' });
  hold();
  const killed = fleet.start('deploy', '--json');
  await whileHeld(server, () => void execFileSync('kill', ['-9', String(lockOwner(server))]));
  const repaired = await killed.ended;
  assert.deepEqual([repaired.exitCode, states(documentIn(repaired.stdout))], [1, ['web1 aborted']], repaired.stderr);
  assert.match(documentIn(repaired.stdout).hosts[0]?.because ?? '', /killed, and what it left is repaired/);
  await isAt(server, two);

  const four = fleet.push({ page: 'four' });
  hold();
  const control = fleet.start('deploy');
  await whileHeld(server, async () => {
    control.child.kill('SIGKILL');
    await control.ended;
  });
  await until(
    () => /Deployment completed [^\n]*\n\n$/.test(site.log()) && site.head() === four,
    'the server has finished alone',
  );
  const status = await fleet.run('status');
  assert.equal(status.exitCode, 0, status.stdout);
  await isAt(server, four);
});

test('with --all-or-nothing and the control killed no server is half, status finds the two commits, and one command brings them to one', async (t) => {
  if (!needsSsh(t)) return;
  const fleet = await buildFleet(t, 2);
  const [first, second] = fleet.servers as [TestServer, TestServer];
  const two = fleet.push({ page: 'two' });
  assert.equal((await fleet.run('deploy')).exitCode, 0);
  const three = fleet.push({ page: 'three' });
  // The new commit is good on the first server alone.
  const path = join(second.site.folder, 'holdfast.yaml');
  const { deployment } = JSON.parse(readFileSync(path, 'utf8'));
  const steps = { after: [{ name: 'page', command: ['sh', '-c', '! grep -q three page'] }] };
  writeFileSync(path, JSON.stringify({ deployment: { ...deployment, steps } }));
  second.site.write('hold-config:cache', '');
  const control = fleet.start('deploy', '--all-or-nothing', '--batch', '1,1');
  await whileHeld(second, async () => {
    control.child.kill('SIGKILL');
    await control.ended;
  });
  await until(
    () => /\[ROLLBACK\][\s\S]*Deployment completed [^\n]*\n\n$/.test(second.site.log()),
    'it went back alone',
  );
  // Who would have taken the first one back is gone.
  await isAt(first, three);
  await isAt(second, two);
  const status = await fleet.run('status', '--json');
  assert.equal(status.exitCode, 1, status.stdout);
  assert.match(JSON.parse(status.stdout).problems.join(), /different commits: 1 at \w{7}, 1 at \w{7}/);
  assert.equal((await fleet.run('rollback', two, '--batch', '100%')).exitCode, 0);
  for (const server of fleet.servers) await isAt(server, two);
});

test('everything wrong in the list and the options is said at once, and no server is asked', async (t) => {
  const fleet = await buildFleet(t, 1);
  appendFileSync(join(fleet.folder, 'hosts'), 'web1\nweb:x colour=red\n');
  const ended = await fleet.run('deploy', '--batch', '0', '--branch', '-x');
  assert.equal(ended.exitCode, 2);
  for (const mistake of [
    /servers\.batch is "0"/,
    /branch is "-x"/,
    /hosts:2: web1 is there already/,
    /hosts:3: "web:x"/,
    /colour/,
  ])
    assert.match(ended.stderr, mistake);
});

function lockOwner({ site }: TestServer): number {
  return JSON.parse(readFileSync(join(site.app, '.git/holdfast/lock.json'), 'utf8')).pid;
}
