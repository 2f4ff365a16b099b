import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { overrideKeys, readServers } from '../../src/fleet/read-servers.ts';

const common = { options: {}, program: 'holdfast' };
const read = (text: string, more: Partial<Parameters<typeof readServers>[1]> = {}) =>
  readServers(
    text.split('\n').map((line, index) => ({ place: `hosts:${index + 1}`, text: line })),
    { ...common, ...more },
  );
function servers(text: string, more: Partial<Parameters<typeof readServers>[1]> = {}) {
  const result = read(text, more);
  assert.ok('settings' in result, JSON.stringify(result));
  return result.settings;
}
function mistakes(text: string) {
  const result = read(text);
  assert.ok('mistakes' in result, JSON.stringify(result));
  return result.mistakes;
}

test('a hosts file has one server a line, with comments and key=value overrides', () => {
  const found = servers(`# the first
deploy@web1.example.com:2222 app-dir=/srv/one branch=next   # slow disk
\tweb2

web3 app-dir="/srv/with space" config='/etc/holdfast/app.yaml'
[2001:db8::1]:22
`);
  assert.deepEqual(
    found.map(({ name, user, host, port }) => [name, user, host, port]),
    [
      ['deploy@web1.example.com:2222', 'deploy', 'web1.example.com', 2222],
      ['web2', undefined, 'web2', undefined],
      ['web3', undefined, 'web3', undefined],
      ['[2001:db8::1]:22', undefined, '2001:db8::1', 22],
    ],
  );
  assert.deepEqual(found[0]?.options, { appDir: '/srv/one', branch: 'next' });
  assert.equal(found[2]?.options.appDir, '/srv/with space');
  assert.equal(found[2]?.config, '/etc/holdfast/app.yaml');
});

test('a line * is for all servers; what a server says itself wins, and both win over the command line', () => {
  const [one, two] = servers('* app-dir=/srv/app program="sudo -n -u deploy holdfast"\nweb1\nweb2 app-dir=/srv/other', {
    options: { appDir: '/typed', branch: 'main' },
  });
  assert.deepEqual(one?.options, { appDir: '/srv/app', branch: 'main' });
  assert.deepEqual(two?.options, { appDir: '/srv/other', branch: 'main' });
  assert.deepEqual(one?.program, ['sudo', '-n', '-u', 'deploy', 'holdfast']);
});

test('everything wrong in the hosts file is said at once, with its line', () => {
  const said = mistakes(`-oProxyCommand=touch
web1 app-dirr=/srv
web1
web2 mode=relases
web2:99999
web3 branch
web4 app-dir="/srv
web5 branch=-x mode=releases mode=in-place
web6 branch=`);
  assert.deepEqual(said, [
    'hosts:1: "-oProxyCommand=touch" is not [USER@]HOST[:PORT]; IPv6 stands in brackets.',
    'hosts:2: app-dirr is not a known key; did you mean app-dir?',
    'hosts:3: web1 is there already, at hosts:2.',
    'hosts:4: mode is "relases", which is none of in-place, releases; did you mean releases?',
    'hosts:5: 99999 is not a port from 1 to 65535.',
    'hosts:6: "branch" is not key=value.',
    'hosts:7: a quotation mark is not closed.',
    'hosts:8: mode is there twice.',
    'hosts:8: branch is "-x", which git accepts as no branch\'s name.',
    'hosts:9: branch has no value.',
  ]);
});

test('a server that is named twice is a mistake, and so is no server at all', () => {
  assert.deepEqual(mistakes('web1\nweb2\nweb1'), ['hosts:3: web1 is there already, at hosts:1.']);
  assert.deepEqual(
    mistakes('web1\nWEB1'),
    ['hosts:2: WEB1 is there already, at hosts:1.'],
    'a name of a host is the same in capitals',
  );
  const typed = { place: '--host web1', text: 'web1' };
  assert.ok('mistakes' in readServers([typed, { ...typed }], common));
  assert.match(mistakes('# nobody\n* branch=main').join(), /there is no server/);
});

test('a password is refused, because the list of processes of the server would show it, and is not repeated', () => {
  const said = mistakes('web1 clone=https://deploy:hunter2@git.example.com/app.git').join();
  assert.match(said, /clone holds a password/);
  assert.ok(!said.includes('hunter2'));
});

test('whatever a hosts file holds, it is read or refused, and a name that is taken is harmless in a shell', () => {
  const line = fc.oneof(
    fc.string({ unit: 'binary-ascii' }),
    fc
      .tuple(fc.string(), fc.constantFrom(...overrideKeys), fc.string())
      .map(([name, key, value]) => `${name} ${key}=${value}`),
  );
  fc.assert(
    fc.property(fc.array(line), (lines) => {
      const result = read(lines.join('\n'));
      if ('mistakes' in result) assert.ok(result.mistakes.length > 0);
      else
        for (const { host, user = 'x' } of result.settings) assert.match(`${user} ${host}`, /^\w[\w.$-]* [\w.:%-]+$/);
    }),
  );
});
