import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { lstatSync, readdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { withSettingNames } from '../../../src/cli/settings/curl-names.ts';
import { exampleSettings } from '../../../src/cli/settings/example-settings.ts';
import { holdsSecret } from '../../../src/cli/settings/exposed-secret.ts';
import { assertMistakes, holdfast } from '../../support/command-line.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';

const secret = 'T0-B0-not-to-be-read';
const address = `http://127.0.0.1:9/services/${secret}`;
const exposed =
  /^holdfast: holdfast\.yaml holds a secret, and other users can read the file: write \$\{NAME\} .*chmod 600/;

test('a secret in any YAML notation is refused if others can read the file', (t) => {
  const folder = temporaryFolder(t);
  for (const text of [
    `deployment: { slackWebhookUrl: "${address}", appDir: . }\n`,
    `{"deployment": {"slackWebhookUrl": "${address}"}}\n`,
    `deployment:\n  appDir: &where ${address}\n  "slackWebhookUrl": *where\n`,
  ]) {
    writeFileSync(join(folder, 'holdfast.yaml'), text);
    const ran = holdfast(folder, ['rehearse']);
    assertMistakes(ran, exposed);
    assert.ok(!ran.stderr.includes(secret));
  }
});

test('a file that only its owner can read may hold a secret, also through a link', (t) => {
  const folder = temporaryFolder(t);
  writeFileSync(join(folder, 'own.yaml'), `deployment: { slackWebhookUrl: "${address}" }\n`, { mode: 0o600 });
  symlinkSync('own.yaml', join(folder, 'holdfast.yaml'));
  const ran = holdfast(folder, ['rehearse', '--seed', 'x']);
  assertMistakes(ran, /--seed/);
});

test('the address of a webhook and an address with a password are secrets; a variable is not', () => {
  for (const [isSecret, value] of [
    [true, { mail: { transport: `smtp://user:${secret}@mail.example.com` } }],
    [true, { mail: { transport: `smtp://user:$${secret}@mail.example.com` } }],
    [true, { cloneUrl: `https://${secret}@git.example.com/app.git` }],
    [true, { webhookUrl: address }],
    [false, { mail: { transport: `smtp://user:\${PASSWORD}@mail.example.com`, to: 'ops@example.com' } }],
    [false, { slackWebhookUrl: `\${SLACK_WEBHOOK_URL}`, cloneUrl: 'ssh://git@git.example.com/app.git' }],
    [true, { health: { headers: { Authorization: `Bearer ${secret}` } } }],
    [true, { health: { headers: ['Accept: text/html', `X-Api-Key: ${secret}`] } }],
    [false, { health: { headers: { Authorization: `Bearer \${TOKEN}`, Accept: 'text/html', Keys: '1' } } }],
    [false, { health: { headers: [`Cookie: \${SESSION}`] }, proof: { header: 'X-Token' }, token: 'a' }],
    [false, { healthUrl: 'https://app.example.com:8443/up?who=ops@example.com' }],
  ] as const)
    assert.equal(holdsSecret('', { deployment: value }), isSecret, JSON.stringify(value));
  assert.ok(
    holdsSecret(`# transport: smtp://user:${secret}@mail.example.com\n`, {}),
    'a comment is read by others too',
  );
});

test('a path or a query from the environment is refused, because it would be written to the run folder, and is not repeated', (t) => {
  const folder = temporaryFolder(t);
  const validation = (url: string) => writeFileSync(join(folder, 'holdfast.yaml'), `validation: { url: "${url}" }\n`);
  const env = { KEY: secret, PLACE: 'app.example.com', ADDRESS: `http://app.example.com/${secret}` };
  for (const url of [
    ` http:app.example.com/?k=\${KEY}`,
    `http://app.example.com/?k=\${KEY}`,
    `http://\${PLACE}/\${KEY}`,
    `\${ADDRESS}`,
  ]) {
    validation(url);
    const ran = holdfast(folder, ['rehearse'], env);
    assertMistakes(ran, /validation\.url takes its path or query from the environment, but both are written/);
    assert.ok(!ran.stderr.includes(secret));
  }
  for (const url of [`http://\${PLACE}/up?who=us`, `\${HOME_PAGE}`]) {
    validation(url);
    const ran = holdfast(folder, ['rehearse', '--seed', 'x'], { ...env, HOME_PAGE: 'http://app.example.com/' });
    assertMistakes(ran, /--seed/);
  }
});

test('init --force writes the target of a link, and does not replace a pipe', (t) => {
  const folder = temporaryFolder(t);
  writeFileSync(join(folder, 'own.yaml'), '');
  symlinkSync('own.yaml', join(folder, 'holdfast.yaml'));
  assert.equal(holdfast(folder, ['init', '--force']).status, 0);
  assert.ok(lstatSync(join(folder, 'holdfast.yaml')).isSymbolicLink());
  assert.equal(readFileSync(join(folder, 'own.yaml'), 'utf8'), exampleSettings);
  execFileSync('mkfifo', [join(folder, 'pipe')]);
  const { status, stderr } = holdfast(folder, ['init', '--force', '--config', 'pipe']);
  assert.equal(status, 1);
  assert.match(stderr, /^holdfast: Writing .*pipe: it is not a regular file$/m);
  assert.ok(lstatSync(join(folder, 'pipe')).isFIFO());
});

test('how the probes of a run ask is checked with all other settings, and the run folder has no value of a header', (t) => {
  const folder = temporaryFolder(t);
  const run = (monitor: string, ...words: readonly string[]) => {
    writeFileSync(join(folder, 'holdfast.yaml'), `validation: { monitor: { ${monitor} } }\n`, { mode: 0o600 });
    return holdfast(folder, ['rehearse', ...words]);
  };
  const wrong = run(`headers: [${secret}], resolve: [shop], ipv4: true, ipv6: true, interval: fast, cacert: none.pem`);
  assertMistakes(
    wrong,
    /validation\.monitor\.interval/,
    /validation\.monitor\.headers has an entry/,
    /validation\.monitor\.resolve\.0 is 'shop'/,
    /validation\.monitor\.ipv6 stands beside ipv4/,
    /validation\.monitor\.cacert names none\.pem, and there is no such file/,
  );
  assert.ok(!wrong.stderr.includes(secret));
  const asked = run(`headers: { X-Api: ${secret} }, location: true`, '--scenario', 'single-replica', '--out', 'out');
  assert.equal(asked.status, 0, asked.stderr);
  const files = readdirSync(join(folder, 'out')).map((name) => readFileSync(join(folder, 'out', name), 'utf8'));
  assert.ok(files.length > 3 && ![asked.stdout, asked.stderr, ...files].some((text) => text.includes(secret)));
  assert.match(files.join('\n'), /^# holdfast downtime-log 1 target=\S+ options=header,location /m);
});

test('the options of a request may have the names and the form that curl’s have, wherever the file asks for a page', () => {
  const curl = { header: 'X-Token: 1', resolve: 'a:80:127.0.0.1', 'max-redirs': 3, 'body-contains': 'Welcome' };
  const own = {
    headers: ['X-Token: 1'],
    resolve: ['a:80:127.0.0.1'],
    maxRedirs: 3,
    bodyContains: 'Welcome',
  };
  const file = (options: object) => ({
    validation: { monitor: options, applications: [{ application: 'shop', monitor: options }, 'no object'] },
    deployment: { health: options, appDir: '/srv' },
  });
  assert.deepEqual(withSettingNames(file(curl)), file(own));
  assert.deepEqual(withSettingNames(file(own)), file(own));
  for (const other of [{}, { validation: 'none' }, { deployment: { health: [] } }])
    assert.deepEqual(withSettingNames(other), other);
});

test('an option that stands there by both names is a mistake', (t) => {
  const folder = temporaryFolder(t);
  writeFileSync(
    join(folder, 'holdfast.yaml'),
    'validation: { monitor: { header: "A: 1", headers: { B: "2" }, max-redirs: 2, location: true } }\n',
  );
  assertMistakes(
    holdfast(folder, ['rehearse']),
    /^holdfast: validation\.monitor\.header is not a known setting; did you mean headers\?$/,
  );
});
