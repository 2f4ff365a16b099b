import assert from 'node:assert/strict';
import { appendFileSync, cpSync, existsSync, mkdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { inShell, json, type Shell } from '../../support/cluster-commands.ts';

/** A run that left a node cordoned, in a folder of its own. */
async function leftCordoned(shell: Shell): Promise<string> {
  const folder = join(shell.folder, 'run');
  let drained = false;
  shell.intercept = ({ method, url }) => {
    if (method === 'POST' && url.includes('/eviction')) drained = true;
    return drained && method === 'PATCH' && url.includes('/nodes/') ? json(503, { code: 503 }) : undefined;
  };
  const ended = await shell.holdfast('validate', '--scenario', 'node-drain', '--yes', '--out', folder);
  assert.equal(ended.exitCode, 5, ended.stderr);
  shell.intercept = () => undefined;
  return folder;
}

const cordoned = async ({ cluster }: Shell): Promise<number> =>
  (await cluster.list('Node')).filter(({ spec }) => spec?.unschedulable === true).length;

const key = (shell: Shell): string => join(shell.folder, '.local/state/holdfast/key');

test('what a run left is undone without a question for its own user; what was changed since, or came from elsewhere, is shown and refused', (t) =>
  inShell(t, async (shell) => {
    const folder = await leftCordoned(shell);
    assert.equal(statSync(key(shell)).mode & 0o777, 0o600);
    const text = (name: string): string => readFileSync(join(folder, name), 'utf8');
    const copy = (name: string, change: (into: string) => void): string => {
      const into = join(shell.folder, name);
      cpSync(folder, into, { recursive: true });
      change(into);
      return into;
    };
    const marker = join(shell.folder, 'ran');
    const kubeconfig = join(shell.folder, 'foreign-kubeconfig');
    const settings = JSON.parse(text('settings.json'));
    const { seal, ...unsealed } = settings;
    assert.match(seal, /^[0-9a-f]{64}$/);
    const foreign = [
      copy('settings-changed', (into) =>
        writeFileSync(
          join(into, 'settings.json'),
          JSON.stringify({ ...settings, cluster: { ...settings.cluster, kubeconfig } }),
        ),
      ),
      copy('no-seal', (into) => writeFileSync(join(into, 'settings.json'), JSON.stringify(unsealed))),
      copy('line-added', (into) =>
        appendFileSync(
          join(into, 'journal.jsonl'),
          `${JSON.stringify({
            at: '2026-01-01T00:00:00Z',
            type: 'action-intended',
            id: 'x',
            scenario: null,
            action: 'delete-dns-record',
            subject: 'record app.example.com',
            intent: { name: 'app.example.com', original: [{ type: 'A', values: ['203.0.113.66'] }] },
          })}\n`,
        ),
      ),
      copy('line-changed', (into) =>
        writeFileSync(join(into, 'journal.jsonl'), text('journal.jsonl').replace('"drain-node"', '"cordon-node"')),
      ),
    ];
    const exec = { apiVersion: 'client.authentication.k8s.io/v1', command: 'touch', args: [marker] };
    const own = JSON.parse(readFileSync(shell.kubeconfig, 'utf8'));
    writeFileSync(kubeconfig, JSON.stringify({ ...own, users: [{ name: 'tester', user: { exec } }] }));
    mkdirSync(join(shell.folder, '.kube'));
    cpSync(shell.kubeconfig, join(shell.folder, '.kube/config'));
    for (const one of foreign) {
      const refused = await shell.ownKubeconfig('recover', one);
      assert.equal(refused.exitCode, 2, one);
      assert.match(refused.stderr, /cannot be shown to be a run of yours on this machine: .*seal/, one);
      assert.match(refused.stderr, /of Node ip-.*|203\.0\.113\.66/, one);
      assert.match(refused.stderr, new RegExp(`holdfast recover --trust ${one}`));
    }
    assert.ok(!existsSync(marker), 'the exec plugin of the folder never ran');
    assert.equal(await cordoned(shell), 1, 'nothing was undone');
    const undone = await shell.ownKubeconfig('recover', folder);
    assert.equal(undone.exitCode, 0, undone.stderr);
    assert.equal(await cordoned(shell), 0);
  }));

test('--trust undoes what a folder from elsewhere says, on the cluster and in the zone that the caller configured', (t) =>
  inShell(t, async (shell) => {
    const folder = await leftCordoned(shell);
    rmSync(key(shell));
    mkdirSync(join(shell.folder, '.kube'));
    cpSync(shell.kubeconfig, join(shell.folder, '.kube/config'));
    const refused = await shell.ownKubeconfig('recover', folder);
    assert.match(refused.stderr, /there is no key .*\/holdfast\/key of an earlier run/);
    assert.equal(refused.exitCode, 2);
    const config = join(shell.folder, 'holdfast.yaml');
    writeFileSync(config, 'validation: { dns: { zone: elsewhere.example } }\n');
    const otherZone = await shell.ownKubeconfig('recover', '--config', config, '--trust', folder);
    assert.match(otherZone.stderr, /is of the DNS zone example\.com, and your settings name elsewhere\.example/);
    assert.equal(otherZone.exitCode, 2);
    const other = await shell.ownKubeconfig('recover', shell.folder, '--trust', folder);
    assert.match(other.stderr, /name the same folder/);
    assert.equal(await cordoned(shell), 1);
    const undone = await shell.ownKubeconfig('recover', '--trust', folder);
    assert.equal(undone.exitCode, 0, undone.stderr);
    assert.equal(await cordoned(shell), 0);
  }));

test('a key that others may read, or that is a link or damaged, seals nothing, and the run says so', (t) =>
  inShell(t, async (shell) => {
    const folder = join(shell.folder, '.local/state/holdfast');
    mkdirSync(folder, { recursive: true });
    for (const [text, mode, because] of [
      ['0'.repeat(64), 0o644, /others may read it/],
      ['short', 0o600, /it is damaged/],
    ] as const) {
      rmSync(key(shell), { force: true });
      writeFileSync(key(shell), text, { mode });
      shell.intercept = ({ url }) => (url.includes('/nodepools') ? json(403, { code: 403 }) : undefined);
      const out = join(shell.folder, `run-${mode}-${text.length}`);
      const ended = await shell.holdfast('validate', '--scenario', 'node-drain', '--yes', '--out', out);
      assert.match(ended.stderr, because);
      assert.match(ended.stderr, /will not know this run as yours, and ask for --trust/);
      assert.ok(!('seal' in JSON.parse(readFileSync(join(out, 'settings.json'), 'utf8'))));
    }
  }));
