import assert from 'node:assert/strict';
import { test } from 'node:test';
import { plan } from '../../../src/deployment/plan.ts';
import { readDeploymentSettings } from '../../../src/deployment/settings/settings.ts';

const flags = {
  appDir: '/srv/app',
  branch: 'main',
  logFile: '/var/log/app.log',
  healthUrl: 'https://app.example/up',
  mode: 'releases',
};
const read = (file: unknown, more: Readonly<Record<string, unknown>> = {}) =>
  readDeploymentSettings({ flags: { ...flags, ...more }, environment: {}, file });
const mistakesOf = (file: unknown, more?: Readonly<Record<string, unknown>>): readonly string[] => {
  const found = read(file, more);
  return 'mistakes' in found ? found.mistakes : [];
};
const settingsOf = (file: unknown, more?: Readonly<Record<string, unknown>>) => {
  const found = read(file, more);
  assert.ok('settings' in found, mistakesOf(file, more).join('\n'));
  return found.settings;
};

test('five releases are kept beside each other, and the preset says what they share', () => {
  const { releases, mode } = settingsOf({});
  assert.deepEqual([mode, releases.folder, releases.keep], ['releases', 'releases', 5]);
  assert.deepEqual(releases.shared, ['.env', 'storage', 'public/storage']);
  assert.deepEqual(settingsOf({ preset: 'none' }).releases.shared, []);
  assert.deepEqual(settingsOf({ releases: { shared: ['uploads'], keep: '2' } }).releases.shared, ['uploads']);
  assert.equal(settingsOf({}, { mode: undefined }).mode, 'in-place');
});

test('everything that contradicts the mode releases is listed at once', () => {
  const mistakes = mistakesOf(
    { releases: { folder: 'storage/all', shared: ['storage', 'current', 'a', 'a/b'], keep: 0 } },
    { clean: true, mode: 'releases' },
  );
  assert.equal(mistakes.length, 5, mistakes.join('\n'));
  assert.match(mistakes[0] ?? '', /^deployment\.clean is for the mode "in-place"/);
  assert.match(mistakes[1] ?? '', /shared names "storage", which overlaps the folder of the releases/);
  assert.match(mistakes[2] ?? '', /shared names "current", which overlaps the folder of the releases/);
  assert.match(mistakes[3] ?? '', /shared names "a" more than once/);
  assert.match(mistakes[4] ?? '', /^deployment\.releases\.keep is 0: too small/);
  assert.deepEqual(mistakesOf({}, { clean: true, mode: 'in-place' }), []);
});

for (const folder of ['.', '.git', '.git/releases', 'current', 'current/old', '../elsewhere', 'storage/releases']) {
  test(`${folder} is no place for releases`, () => {
    assert.equal(mistakesOf({ releases: { folder } }).length, 1);
  });
}

test('a folder of releases has one name, with or without a slash at its end', () => {
  for (const [folder, name] of [
    ['releases/', 'releases'],
    ['/srv/releases//', '/srv/releases'],
    ['/', '/'],
  ])
    assert.equal(settingsOf({ releases: { folder } }).releases.folder, name);
});

for (const path of ['/etc/passwd', '../secret', 'storage/../..', '.git/config', 'a//b', 'storage/']) {
  test(`'${path}' cannot be shared`, () => {
    assert.match(mistakesOf({ releases: { shared: [path] } })[0] ?? '', /is not a path below the top of the checkout/);
  });
}

test('--mode has two values', () => {
  assert.match(mistakesOf({}, { mode: 'release' })[0] ?? '', /^deployment\.mode/);
});

test('--dry-run prints how a release is made, shown and left again', () => {
  const lines = plan(settingsOf({ steps: { before: [{ command: ['composer', 'install'] }] } }));
  const at = (pattern: RegExp): number => lines.findIndex((line) => pattern.test(line));
  const order = [
    /^release="\$PWD"\/releases\//,
    /worktree add --quiet --detach "\$release" "\$new"$/,
    /; ln -s "\$PWD"\/storage "\$release"\/storage; fi$/,
    /^export VIEW_COMPILED_PATH="\$release"\/bootstrap\/cache\/views$/,
    /^composer install$/,
    /^php artisan view:cache/,
    /^sync -f "\$release"$/,
    /^cd \/srv\/app && ln -s "\$release" current\.new && mv -T current\.new current$/,
    /^# GET /,
    /^# cd \/srv\/app && ln -s "\$previous" current\.new/,
  ].map(at);
  assert.deepEqual(
    order,
    order.toSorted((a, b) => a - b),
    lines.join('\n'),
  );
  assert.ok(!order.includes(-1), lines.join('\n'));
  assert.equal(at(/reset --hard/), -1);
});
