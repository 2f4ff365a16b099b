import assert from 'node:assert/strict';
import { test } from 'node:test';
import { nearest } from '../../src/settings/nearest.ts';
import { readSettings } from '../../src/settings/read-settings.ts';
import { validationSchema } from '../../src/validation/settings.ts';
import { secrets } from '../support/secrets.ts';

const mistakesOf = (value: unknown): readonly string[] => {
  const read = readSettings(validationSchema, value, 'validation');
  return 'mistakes' in read ? read.mistakes : [];
};

test('all mistakes are reported at once, one sentence each', () => {
  const mistakes = mistakesOf({
    url: 'ftp://x',
    monitor: { interval: '1 s', expects: 200 },
    nodePool: { name: 3 },
    urll: 'x',
  });
  assert.deepEqual(mistakes.toSorted(), [
    'validation.monitor.expects is not a known setting; did you mean expect?',
    "validation.monitor.interval is '1 s', which is not a duration such as 500ms, 10s, 2m or 1h.",
    'validation.nodePool.name is 3, which is not text.',
    "validation.url is 'ftp://x', which is not an http:// or https:// address.",
    'validation.urll is not a known setting; did you mean url?',
  ]);
});

test('an interval or a timeout that is too short is a mistake', () => {
  for (const key of ['interval', 'timeout', 'slow']) {
    for (const text of ['0s', '9ms'])
      assert.deepEqual(mistakesOf({ monitor: { [key]: text } }), [`validation.monitor.${key} must be 10ms or longer.`]);
    assert.deepEqual(mistakesOf({ monitor: { [key]: '10ms' } }), []);
  }
});

test('a password in an address is refused, and not repeated', () => {
  for (const [before, after] of [
    ['http://user:', '@app.example.com/'],
    ['http://', '@app.example.com/'],
    ['http://user:', '@app.example.com:port/'],
    ['http://user:a/', '@app.example.com/'],
    ['ftp://user:', '@app.example.com/'],
    ['user:', '@app.example.com'],
  ]) {
    const [mistake = '', ...more] = mistakesOf({ url: `${before}${secrets.addressPassword}${after}` });
    assert.deepEqual(more, []);
    assert.match(mistake, /^validation\.url holds a password/);
    assert.ok(!mistake.includes(secrets.addressPassword));
  }
  assert.deepEqual(mistakesOf({ url: 'http://app.example.com/@up' }), []);
});

test('the defaults are the specification’s values', () => {
  const read = readSettings(validationSchema, {}, 'validation');
  assert.ok('settings' in read);
  const { application, disruptionBudget, nodePool, monitor, load, instanceKill } = read.settings;
  assert.deepEqual(
    { application, disruptionBudget, pool: nodePool.name, monitor, load, instanceKill },
    {
      application: 'nginx-test',
      disruptionBudget: 'nginx-pdb',
      pool: 'general-purpose-arm',
      monitor: { interval: 1, timeout: 10, slow: 1, expect: 200, body: 'Welcome to nginx!', control: null },
      load: { requests: 20000, concurrency: 500 },
      instanceKill: { maximumDowntime: 60 },
    },
  );
});

test('a word far from every known one gets no suggestion', () => {
  assert.equal(nearest('scale-upp', ['scale-up', 'scale-down']), 'scale-up');
  assert.equal(nearest('ulr', ['url', 'dns']), 'url');
  assert.equal(nearest('banana', ['scale-up', 'scale-down']), undefined);
});
