import assert from 'node:assert/strict';
import { test } from 'node:test';
import { parse } from 'yaml';
import { learntPart } from '../../../src/cli/settings/learnt-settings.ts';

test('init --only deployment writes what a deploy has to know, as settings and not as comments', () => {
  const { deployment, ...others } = parse(learntPart('deployment'));
  assert.deepEqual(Object.keys(deployment), ['appDir', 'branch', 'logFile', 'healthUrl', 'preset']);
  assert.deepEqual(others, {});
  const found = { appDir: '/srv/a', branch: 'live', logFile: '/srv/a.log', healthUrl: 'http://a/', preset: 'php' };
  assert.deepEqual(parse(learntPart('deployment', { deployment: found })), { deployment: found });
  assert.deepEqual(Object.keys(parse(learntPart('validation'))), ['validation']);
});
