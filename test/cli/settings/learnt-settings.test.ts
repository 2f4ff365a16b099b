import assert from 'node:assert/strict';
import { test } from 'node:test';
import { parse } from 'yaml';
import { exampleSettings } from '../../../src/cli/settings/example-settings.ts';
import { learntSettings } from '../../../src/cli/settings/learnt-settings.ts';

test('what was found replaces the example’s values, and everything else stays', () => {
  const validation = {
    url: 'https://shop.example.com/',
    namespace: 'shop',
    application: 'web',
    applicationKind: 'Deployment',
  };
  const deployment = {
    appDir: '/srv/my app',
    branch: 'release/2',
    healthUrl: 'http://127.0.0.1:8080/up',
    logFile: '/var/log/app.log',
    preset: 'none',
  };
  const written = parse(learntSettings({ validation, deployment }));
  const example = parse(exampleSettings);
  assert.deepEqual(written.validation, { ...example.validation, ...validation, manifests: 'none' });
  assert.deepEqual(written.deployment, deployment);
});

test('where nothing was learnt it is the example', () => {
  assert.equal(learntSettings({}), exampleSettings);
});
