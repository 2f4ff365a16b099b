import assert from 'node:assert/strict';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { parse } from 'yaml';
import { deploymentCommands } from '../../../src/cli/commands/deployment-commands.ts';
import { presets } from '../../../src/deployment/settings/presets.ts';
import { readDeploymentSettings } from '../../../src/deployment/settings/settings.ts';

const docs = join(import.meta.dirname, '../../../docs');
const page = ['deploy.md', 'deploy-php.md', 'deploy-releases.md']
  .map((name) => readFileSync(join(docs, name), 'utf8'))
  .join('\n');
const flags = {
  appDir: '/srv/www/app',
  branch: 'main',
  logFile: '/var/log/app.log',
  healthUrl: 'https://app.example.com/up',
};

test('every example of the pages for people who deploy is accepted as it is', () => {
  const examples = [...page.matchAll(/^```yaml\n([\s\S]*?)^```$/gm)].map(([, text = '']) =>
    text.replace(/\$\{SLACK_WEBHOOK_URL\}/, 'https://hooks.example.com/services/T/B/secret'),
  );
  assert.ok(examples.length > 6);
  for (const text of examples) {
    const read = readDeploymentSettings({ flags, environment: {}, file: parse(text).deployment });
    assert.deepEqual('mistakes' in read ? read.mistakes : [], [], text);
  }
});

test('the pages name every preset, and only flags and files that exist', () => {
  for (const name of Object.keys(presets)) assert.ok(page.includes(`| \`${name}\` |`), name);
  const known = deploymentCommands.flatMap(({ options }) => options.map(({ flags: words }) => words.split(' ')[0]));
  for (const [, flag] of page.matchAll(/`(--[\w-]+)/g))
    assert.ok([...known, '--json', '--verbose'].includes(flag ?? ''), flag);
  for (const [, path] of page.matchAll(/\]\((?!https?:)([^)#]+)\)/g))
    assert.ok(existsSync(join(docs, path ?? '')), path);
});
