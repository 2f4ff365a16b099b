import assert from 'node:assert/strict';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { parse } from 'yaml';
import { deploymentCommands } from '../../../src/cli/commands/deployment-commands.ts';
import { presets } from '../../../src/deployment/settings/presets.ts';
import { readDeploymentSettings } from '../../../src/deployment/settings/settings.ts';

const docs = join(import.meta.dirname, '../../../docs');
const page = readFileSync(join(docs, 'deployment.md'), 'utf8');
const flags = {
  appDir: '/srv/www/app',
  branch: 'main',
  logFile: '/var/log/app.log',
  healthUrl: 'https://app.example.com/up',
};

test('every example of the page for people who deploy is read as it stands', () => {
  const examples = [...page.matchAll(/^```yaml\n([\s\S]*?)^```$/gm)].map(([, text = '']) =>
    text.replace(/\$\{SLACK_WEBHOOK_URL\}/, 'https://hooks.example.com/services/T/B/secret'),
  );
  assert.ok(examples.length > 6);
  for (const text of examples) {
    const read = readDeploymentSettings({ flags, environment: {}, file: parse(text).deployment });
    assert.deepEqual('mistakes' in read ? read.mistakes : [], [], text);
  }
});

test('the page names every preset, flags that are there and files that are there', () => {
  for (const name of Object.keys(presets)) assert.ok(page.includes(`| \`${name}\` |`), name);
  const known = deploymentCommands.flatMap(({ options }) => options.map(({ flags: words }) => words.split(' ')[0]));
  for (const [, flag] of page.matchAll(/`(--[\w-]+)/g)) assert.ok([...known, '--json'].includes(flag ?? ''), flag);
  for (const [, path] of page.matchAll(/\]\((?!https?:)([^)#]+)\)/g))
    assert.ok(existsSync(join(docs, path ?? '')), path);
});
