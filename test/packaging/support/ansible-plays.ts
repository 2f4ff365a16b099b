import assert from 'node:assert/strict';
import { mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { TestContext } from 'node:test';
import { startProgram } from '../../deployment/support/holdfast.ts';
import { needsSsh } from '../../deployment/support/over-ssh.ts';
import { buildFleet, type TestFleet } from '../../fleet/support/servers.ts';
import { needs } from '../../support/needs.ts';

export const collection = join(import.meta.dirname, '../../../packaging/ansible');

/** What a play says of its hosts at its end, and in `JSON` of every task. */
interface Played {
  readonly exitCode: number;
  readonly output: string;
  /** `web1 ok=1 changed=1 failed=0 …` by host. */
  readonly recap: Readonly<Record<string, string>>;
}

/** Where Ansible finds the collection of this repository, the servers and the play. */
export function environmentOf(fleet: TestFleet): Record<string, string> {
  const collections = join(fleet.folder, 'collections/ansible_collections/holdfast');
  mkdirSync(collections, { recursive: true });
  symlinkSync(collection, join(collections, 'holdfast'));
  return {
    PATH: process.env.PATH ?? '',
    HOME: fleet.folder,
    LC_ALL: 'C.UTF-8',
    ANSIBLE_COLLECTIONS_PATH: join(fleet.folder, 'collections'),
    ANSIBLE_SSH_ARGS: `-F ${fleet.folder}/ssh_config -o ControlMaster=no`,
    ANSIBLE_SSH_TRANSFER_METHOD: 'piped',
    ANSIBLE_NOCOLOR: '1',
    ANSIBLE_RETRY_FILES_ENABLED: '0',
  };
}

function writePlay(fleet: TestFleet, serial: string): void {
  const hosts = fleet.servers.map(
    ({ name, site }) =>
      `${name} holdfast_config=${site.folder}/holdfast.yaml holdfast_program='["${site.folder}/holdfast"]'\n`,
  );
  writeFileSync(join(fleet.folder, 'inventory'), `[web]\n${hosts.join('')}`);
  const play = `- hosts: web
  gather_facts: false
  serial: ${serial}
  max_fail_percentage: 0
  vars:
    ansible_python_interpreter: /usr/bin/python3
    holdfast_drain: echo drain {{ inventory_hostname }} >> ${fleet.folder}/lb
    holdfast_restore: echo restore {{ inventory_hostname }} >> ${fleet.folder}/lb
  roles: [holdfast.holdfast.deploy]
`;
  writeFileSync(join(fleet.folder, 'site.yml'), play);
}

async function play(fleet: TestFleet, env: Record<string, string>, ...words: readonly string[]): Promise<Played> {
  // Not synchronously: the sites of the servers are answered by this process.
  const command = ['ansible-playbook', '-i', 'inventory', 'site.yml', '--diff', ...words];
  const { exitCode, stdout, stderr } = await startProgram(fleet.folder, command, env).ended;
  const rows = [...stdout.matchAll(/^(\w+) +: (ok=.*)$/gm)].map(([, host = '', counts = '']) => [
    host,
    counts.replaceAll(/ +/g, ' '),
  ]);
  return { exitCode, output: stdout + stderr, recap: Object.fromEntries(rows) };
}

export function needsAnsible(t: TestContext): boolean {
  return needsSsh(t) && needs(t, 'ansible-playbook');
}

/** Check mode, a first run, a second one, a commit that is broken, one host after another. */
export async function playAll(t: TestContext, count: number): Promise<void> {
  const fleet = await buildFleet(t, count);
  const env = environmentOf(fleet);
  writePlay(fleet, '1');
  const heads = () => fleet.servers.map(({ site }) => site.head());
  const all = <T>(value: T) => fleet.servers.map(() => value);
  const before = heads();
  const two = fleet.push({ page: 'two' });

  const checked = await play(fleet, env, '--check');
  assert.deepEqual([checked.exitCode, heads()], [0, before], checked.output);
  for (const { name } of fleet.servers) assert.match(checked.recap[name] ?? '', /changed=1 .*failed=0/, checked.output);
  assert.ok(checked.output.includes(`-${before[0]}\n+${two}`), `check mode shows the commits: ${checked.output}`);

  const first = await play(fleet, env);
  assert.deepEqual([first.exitCode, heads()], [0, all(two)], first.output);
  assert.deepEqual(
    readFileSync(join(fleet.folder, 'lb'), 'utf8').trim().split('\n'),
    fleet.servers.flatMap(({ name }) => [`drain ${name}`, `restore ${name}`]),
  );

  const second = await play(fleet, env);
  for (const { name } of fleet.servers) assert.match(second.recap[name] ?? '', /changed=0 .*failed=0/, second.output);
  assert.equal(second.exitCode, 0, second.output);

  fleet.push({ status: '500' });
  const failed = await play(fleet, env);
  assert.equal(failed.exitCode, 2, failed.output);
  assert.match(failed.recap.web1 ?? '', /failed=1/, failed.output);
  assert.match(failed.output, /health check failed/i);
  assert.equal(failed.recap.web2, undefined, 'max_fail_percentage: the next host is not begun');
  assert.deepEqual(heads(), all(two));
  assert.match(readFileSync(join(fleet.folder, 'lb'), 'utf8'), /restore web1\n$/, 'restored after the failure');
}
