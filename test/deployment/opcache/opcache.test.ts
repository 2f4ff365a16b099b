import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { decodeAnswer, encodeRequest } from '../../../src/deployment/opcache/fastcgi.ts';
import { includesOf, opcacheSettings, readIni, readPools } from '../../../src/deployment/opcache/fpm-configuration.ts';
import { type AskedPool, decideMeans } from '../../../src/deployment/opcache/means.ts';

const defaults = opcacheSettings({});
/** A pool of a php-fpm of its own, of which nothing is proved. */
const pool = (address: string, settings: Partial<AskedPool['settings']> = {}): AskedPool => ({
  address,
  master: address,
  settings: { ...defaults, ...settings },
  isOurs: false,
});
const ours = (each: AskedPool): AskedPool => ({ ...each, isOurs: true });
/** The same, which has answered: it says its settings itself. */
const answering = (each: AskedPool, cached: number): AskedPool => ({
  ...each,
  answer: { ...each.settings, cached, visited: false, full: false, forgotten: true },
});
const lookedAtEvery = (seconds: number, address: string) => ({
  seconds: seconds + 1,
  because: `php-fpm at ${address} cannot be made to forget the old code and looks at its files every ${seconds} s`,
});
const leftAlone = (address: string): string =>
  `php-fpm at ${address} cannot be made to forget old code, and nothing says that it serves this checkout: it is left alone`;

const unproven = (addresses: string): string =>
  `nothing says that php-fpm at ${addresses} serves this checkout, so its opcache is left alone: if one does, name its socket in opcache.fastcgi`;

const unknown = 'no php-fpm that runs here is known to serve this checkout';

test('without php-fpm, or with an opcache that is off, there is nothing to do', () => {
  const nothing = { by: 'not-needed', because: 'no php-fpm runs here' };
  assert.deepEqual(decideMeans([]), nothing);
  assert.deepEqual(decideMeans([pool('/a', { enabled: false })]), nothing);
});

test('the pool that has compiled the checkout’s files serves it, and the others are left alone', () => {
  const told = {
    by: 'fastcgi',
    caches: [{ addresses: ['/ours'], otherwise: lookedAtEvery(2, '/ours') }],
    visited: false,
  };
  const other = answering(pool('/other'), 0);
  assert.deepEqual(decideMeans([other, answering(pool('/ours'), 9)]), { ...told, warnings: [] });
  const deaf = pool('/deaf', { validateTimestamps: false });
  assert.deepEqual(decideMeans([deaf, answering(pool('/ours'), 9)]), { ...told, warnings: [leftAlone('/deaf')] });
  const busy: AskedPool = { ...pool('/busy'), answer: 'busy' };
  assert.deepEqual(decideMeans([busy, answering(pool('/ours'), 9)]), { ...told, warnings: [leftAlone('/busy')] });
});

test('where none of the pools has compiled the files, none is told to forget, and a warning names opcache.fastcgi', () => {
  assert.deepEqual(decideMeans([answering(pool('/a'), 0), pool('/b')]), {
    by: 'not-needed',
    because: unknown,
    warnings: [unproven('/a, /b')],
  });
});

test('pools of one php-fpm share an opcache: one that answers is enough for all of them', () => {
  const shared = (each: AskedPool): AskedPool => ({ ...each, master: 'one' });
  const busy: AskedPool = { ...pool('/busy', { revalidateSeconds: 60 }), answer: 'busy' };
  const means = decideMeans([shared(busy), shared(answering(pool('/a'), 2)), shared(answering(pool('/b'), 2))]);
  assert.equal(means.by, 'fastcgi');
  assert.deepEqual('caches' in means ? means.caches.map(({ addresses }) => addresses) : [], [['/a', '/b']]);
});

test('a pool of ours that is busy is told later, and nobody waits for its revalidate_freq instead', () => {
  const busy: AskedPool = { ...ours(pool('/ours', { validateTimestamps: false })), answer: 'busy' };
  assert.deepEqual(decideMeans([busy]), {
    by: 'fastcgi',
    caches: [{ addresses: ['/ours'] }],
    visited: true,
    warnings: [],
  });
});

test('a pool of ours that is busy has a wait for the case that it refuses, unless it never looks at its files', () => {
  const busy = (settings: Partial<AskedPool['settings']>): AskedPool => ({
    ...ours(pool('/ours', settings)),
    answer: 'busy',
  });
  const otherwise = (means: ReturnType<typeof decideMeans>) =>
    'caches' in means ? means.caches[0]?.otherwise : 'none';
  assert.deepEqual(otherwise(decideMeans([busy({ revalidateSeconds: 5 })])), lookedAtEvery(5, '/ours'));
  assert.equal(otherwise(decideMeans([busy({ validateTimestamps: false })])), undefined);
});

test('a pool that does not answer is waited for, as long as its own revalidate_freq says and a second more', () => {
  const means = decideMeans([pool('/a', { revalidateSeconds: 2 }), pool('/b', { revalidateSeconds: 60 })].map(ours));
  assert.equal(means.by, 'waiting');
  assert.deepEqual('seconds' in means ? [means.seconds, means.because] : [], [
    61,
    'php-fpm at /b cannot be made to forget the old code and looks at its files every 1 min',
  ]);
});

test('those that answer are told also where another one has to be waited for', () => {
  const never = answering(pool('/never', { validateTimestamps: false }), 0);
  const means = decideMeans([never, pool('/silent')].map(ours));
  assert.equal(means.by, 'waiting');
  assert.deepEqual('told' in means ? means.told : undefined, { caches: [{ addresses: ['/never'] }] });
});

test('with a pool of ours that preloads, or that never looks at files again and does not answer, no commit can be verified', () => {
  assert.equal(decideMeans([ours(pool('/a', { validateTimestamps: false }))]).by, 'impossible');
  assert.equal(decideMeans([answering(pool('/a', { validateTimestamps: false }), 3)]).by, 'fastcgi');
  assert.equal(decideMeans([answering(pool('/a', { preloads: true }), 3)]).by, 'impossible');
});

test('such a pool that is not known to be ours is a warning', () => {
  const never = pool('/never', { validateTimestamps: false });
  assert.deepEqual(decideMeans([never]), { by: 'not-needed', because: unknown, warnings: [unproven('/never')] });
  const means = decideMeans([never, answering(pool('/a'), 1)]);
  assert.deepEqual('warnings' in means ? means.warnings : [], [leftAlone('/never')]);
});

test('a pool that refuses us may serve the checkout: it is waited for, and where it looks at its files late or never no commit is called verified', () => {
  const refusing = (settings: Partial<AskedPool['settings']>): AskedPool => ({
    ...pool('/a', settings),
    trouble: 'permission denied',
  });
  const means = decideMeans([refusing({}), answering(pool('/b'), 0)]);
  assert.deepEqual(means, { by: 'waiting', ...lookedAtEvery(2, '/a'), warnings: [unproven('/a, /b')] });
  for (const settings of [{ validateTimestamps: false }, { preloads: true }, { revalidateSeconds: 60 }])
    assert.equal(decideMeans([refusing(settings)]).by, 'impossible');
});

test('a pool’s own section counts more than php.ini, of which the last line counts', () => {
  const [www, other] = readPools(
    [
      '[global]\npid = /run/php-fpm.pid',
      '[www]\nlisten = /run/$pool.sock ; a comment',
      'php_admin_value[opcache.revalidate_freq] = 60\nphp_admin_flag[opcache.validate_timestamps] = off',
      ';php_value[opcache.enable] = 0',
      '[other]\nlisten = "127.0.0.1:9000"',
    ].join('\n'),
  );
  const ini = readIni(
    '[opcache]\nopcache.revalidate_freq=5\nopcache.revalidate_freq = 7 ; seconds\nopcache.preload="/a.php"\n',
  );
  assert.deepEqual([www?.listen, other?.listen], ['/run/www.sock', '127.0.0.1:9000']);
  assert.deepEqual(opcacheSettings({ ...ini, ...www?.values }), {
    enabled: true,
    validateTimestamps: false,
    revalidateSeconds: 60,
    preloads: true,
  });
  assert.equal(opcacheSettings({ ...ini, ...other?.values }).revalidateSeconds, 7);
  assert.deepEqual(includesOf('include=/etc/php/8.2/fpm/pool.d/*.conf\n'), ['/etc/php/8.2/fpm/pool.d/*.conf']);
});

test('PHP’s defaults: files are looked at again after two seconds', () => {
  assert.deepEqual(defaults, { enabled: true, validateTimestamps: true, revalidateSeconds: 2, preloads: false });
});

/** Records of a responder (FastCGI specification 1.0, section 3.3), with padding. */
function record(type: number, content: Uint8Array, padding = 0): Uint8Array {
  const head = [1, type, 0, 1, content.length >> 8, content.length & 255, padding, 0];
  return Uint8Array.from([...head, ...content, ...Array.from({ length: padding }, () => 0)]);
}

test('a response is joined from its records, however it is split', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'grapheme' }), fc.integer({ min: 1, max: 50 }), fc.nat(7), (body, size, padding) => {
      const bytes = new TextEncoder().encode(`Content-type: text/html\r\n\r\n${body}`);
      const pieces = Array.from({ length: Math.ceil(bytes.length / size) }, (_, index) =>
        record(6, bytes.subarray(index * size, (index + 1) * size), padding),
      );
      const whole = Uint8Array.from([...pieces, record(3, new Uint8Array(8))].flatMap((each) => [...each]));
      const answer = decodeAnswer(whole);
      assert.deepEqual([answer.headers['content-type'], answer.complete], ['text/html', true]);
      if (!body.includes('\r\n\r\n') && !body.includes('\n\n')) assert.equal(answer.body, body);
      assert.equal(decodeAnswer(whole.subarray(0, -9)).complete, false);
    }),
  );
});

test('any bytes are decoded without an error, and a request keeps parameters of any length', () => {
  fc.assert(fc.property(fc.uint8Array({ maxLength: 200 }), (bytes) => void decodeAnswer(bytes)));
  const bytes = encodeRequest({ SCRIPT_FILENAME: '/srv/app.php', LONG: 'x'.repeat(70_000) });
  const text = new TextDecoder('latin1').decode(bytes);
  assert.ok(text.includes('SCRIPT_FILENAME/srv/app.php'));
  assert.equal(text.split('x').length - 1, 70_000);
});
