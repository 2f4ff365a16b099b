import assert from 'node:assert/strict';
import { test } from 'node:test';
import { plan } from '../../../src/deployment/plan.ts';
import { presets } from '../../../src/deployment/settings/presets.ts';
import { byPhp, readDeploymentSettings } from '../../../src/deployment/settings/settings.ts';

const flags = { appDir: '/srv/app', branch: 'main', logFile: '/l', healthUrl: 'http://h/' };
const settingsOf = (file: object) => {
  const read = readDeploymentSettings({ flags, environment: {}, file });
  if ('mistakes' in read) throw new Error(read.mistakes.join('\n'));
  return read.settings;
};

test('one key names the PHP program of every step: of the presets, of their words, of the settings, and of the plan', () => {
  const steps = { before: [{ command: ['php', 'before.php'] }], after: [{ command: ['echo', 'php'] }] };
  for (const preset of ['laravel', 'symfony', 'drupal'] as const) {
    const words = preset === 'laravel' ? { migrations: true, queue: true, maintenance: true } : { migrations: true };
    for (const mode of ['in-place', 'releases'] as const) {
      const lines = plan(settingsOf({ preset, mode, php: 'php8.1', composer: true, steps, ...words }));
      assert.deepEqual(
        lines.filter((line) => /(?:^|# )php /.test(line)),
        [],
      );
      assert.ok(lines.filter((line) => line.startsWith('php8.1 ')).length >= 2, lines.join('\n'));
      assert.ok(lines.includes('echo php'));
    }
  }
});

test('composer, whose first line asks for the php of the PATH, is run by that program too', () => {
  const composer = { name: 'composer', command: ['composer', 'install'] } as const;
  const [step] = byPhp('/opt/php', [composer]);
  assert.deepEqual(step?.command.slice(3), ['/opt/php', 'install']);
  assert.deepEqual(byPhp('php', [composer]), [composer]);
});

test('every framework has one word, and each but none treats opcache', () => {
  const names = Object.keys(presets);
  assert.deepEqual(names, ['laravel', 'laravel-atomic', 'symfony', 'wordpress', 'drupal', 'php', 'none']);
  for (const name of names) assert.equal(settingsOf({ preset: name }).isPhp, name !== 'none');
});
