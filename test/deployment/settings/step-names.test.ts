import assert from 'node:assert/strict';
import { test } from 'node:test';
import { readDeploymentSettings } from '../../../src/deployment/settings/settings.ts';

const complete = { appDir: '/srv/app', branch: 'main', logFile: '/l', healthUrl: 'http://h/', preset: 'none' };
const read = (file: object) => readDeploymentSettings({ flags: {}, environment: {}, file: { ...complete, ...file } });
const mistakesOf = (file: object): readonly string[] => {
  const found = read(file);
  return 'mistakes' in found ? found.mistakes : [];
};

test('names of steps that are empty, given twice or hold control characters are refused, all at once', () => {
  const caches = { rebuild: [{ name: 'build', command: ['make'] }] };
  const before = [
    { name: '', command: ['a'] },
    { name: ' ', command: ['a'] },
    { name: 'red\u001b[31m', command: ['a'] },
    { name: 'two\nlines', command: ['a'] },
    { name: 'build', command: ['b'] },
  ];
  const after = [
    { name: 'make', command: ['c'] },
    { command: ['make'] },
    { name: 'switch', command: ['d'] },
    { command: ['start'] },
  ];
  assert.deepEqual(mistakesOf({ caches, steps: { before, after } }), [
    'deployment.steps.before.4.name is "build", as is caches.rebuild.0: give it another name.',
    'deployment.steps.after.1.name is "make", as is steps.after.0: give it another name.',
    'deployment.steps.after.2.name is "switch", which is a step of holdfast itself: give it another name.',
    'deployment.steps.after.3.name is "start", which is a step of holdfast itself: give it another name.',
    'deployment.steps.before.0.name is empty.',
    'deployment.steps.before.1.name is empty.',
    'deployment.steps.before.2.name holds a control character.',
    'deployment.steps.before.3.name holds a control character.',
  ]);
});

test('a step may not have the name of one that the preset or a word of the settings brings', () => {
  const steps = { after: [{ name: 'config:cache', command: ['a'] }], before: [{ name: 'composer', command: ['b'] }] };
  assert.deepEqual(mistakesOf({ preset: 'laravel', composer: true, steps }), [
    'deployment.steps.before.0.name is "composer", as is a step of the preset: give it another name.',
    'deployment.steps.after.0.name is "config:cache", as is a step of the preset: give it another name.',
  ]);
  assert.deepEqual(mistakesOf({ preset: 'laravel', caches: { rebuild: [] }, steps }), []);
});

test('the same command may be a step twice where it has no name, and a name of several lines is one line', () => {
  const command = ['sh', '-c', 'one\ntwo\n'];
  const found = read({ steps: { before: [{ command }], after: [{ command }] } });
  assert.ok('settings' in found, 'mistakes' in found ? found.mistakes.join('\n') : '');
  assert.deepEqual(
    [...found.settings.steps.before, ...found.settings.steps.after].map(({ name }) => name),
    ['sh -c one two', 'sh -c one two'],
  );
});

test('a command without a program, and a NUL anywhere, are mistakes and no defect', () => {
  const before = [{ command: [''] }, { command: ['a\0'] }];
  assert.deepEqual(mistakesOf({ logFile: '/l\0og', environment: { A: 'b\0' }, steps: { before } }), [
    ...['logFile', 'environment.A', 'steps.before.1.command.0'].map(
      (key) => `deployment.${key} holds the character NUL, which no file or command can have.`,
    ),
    'deployment.steps.before.0.command names no program.',
  ]);
});
