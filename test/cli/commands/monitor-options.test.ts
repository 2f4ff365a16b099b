import assert from 'node:assert/strict';
import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import type { RequestListener } from 'node:http';
import { createServer as createHttpsServer } from 'node:https';
import { type TestContext, test } from 'node:test';
import { certificateAuthority } from '../../support/certificates.ts';
import { forwardProxy } from '../../support/forward-proxy.ts';
import { answering, listening } from '../../support/loopback-server.ts';
import { needs } from '../../support/needs.ts';
import { secrets } from '../../support/secrets.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';

const holdfast = `${import.meta.dirname}/../../../bin/holdfast.js`;
const environment = { PATH: process.env.PATH, TOKEN: secrets.healthPassword };

interface Monitored {
  readonly log: string;
  readonly output: string;
  /** What the list of processes showed. */
  readonly commandLine: string;
}

/** Runs `monitor` until its log has a line of each target, then stops it. */
async function monitored(
  t: TestContext,
  targets: number,
  words: readonly string[],
  env: NodeJS.ProcessEnv = {},
): Promise<Monitored> {
  const path = `${temporaryFolder(t)}/downtime.log`;
  const all = ['monitor', ...words, '--log', path, '--interval', '200ms', '--timeout', '5s', '--slow', '5s', '--json'];
  const child = spawn(process.execPath, [holdfast, ...all], { env: { ...environment, ...env } });
  let output = '';
  for (const stream of [child.stdout, child.stderr])
    stream.on('data', (piece) => {
      output += piece;
    });
  const ended = once(child, 'close');
  const probed = () =>
    new Set(samplesIn(existsSync(path) ? readFileSync(path, 'utf8') : '').map(({ target }) => target)).size;
  while (child.exitCode === null && probed() < targets) await new Promise((resolve) => setTimeout(resolve, 20));
  const commandLine = child.exitCode === null ? readFileSync(`/proc/${child.pid}/cmdline`, 'utf8') : '';
  child.kill('SIGINT');
  await ended;
  return { log: existsSync(path) ? readFileSync(path, 'utf8') : '', output, commandLine };
}

/** The samples on new connections. */
function samplesIn(log: string): readonly { readonly status: string; readonly target: string; readonly bad: string }[] {
  const lines = log.split('\n').filter((line) => /^\d/.test(line) && !line.includes('connection=reused'));
  return lines.map((line) => ({
    status: line.split(' ')[1] ?? '',
    target: / target=(\S+)/.exec(line)?.[1] ?? '',
    bad: / (?:error|body)=(\S+)/.exec(line)?.[1] ?? '',
  }));
}

/** The mistakes of a monitor that cannot begin, one a line. */
async function mistakes(words: readonly string[], env: NodeJS.ProcessEnv = {}): Promise<readonly string[]> {
  const { code, said } = await new Promise<{ code: unknown; said: string }>((resolve) =>
    execFile(process.execPath, [holdfast, 'monitor', ...words], { env: { ...environment, ...env } }, (error, _, said) =>
      resolve({ code: error?.code, said }),
    ),
  );
  assert.equal(code, 2, said);
  return said.trimEnd().split('\n');
}

type Target = Readonly<Record<string, unknown>> & { readonly url: string };

/** What curl makes of a target, whose keys are its options: its status, and whether it failed. */
async function byCurl({ url, ...options }: Target): Promise<{ readonly status: string; readonly failed: boolean }> {
  const words = Object.entries(options).flatMap(([key, value]) =>
    value === true ? [`--${key}`] : [value].flat().flatMap((one) => [`--${key}`, String(one)]),
  );
  const quiet = ['-q', '-s', '-o', '/dev/null', '-w', '%{http_code}', '--max-time', '20'];
  return new Promise((resolve) =>
    execFile('curl', [...quiet, ...words, url], { env: { PATH: process.env.PATH } }, (error, status) =>
      resolve({ status, failed: error !== null }),
    ),
  );
}

test('a target is asked as curl asks it with the same options', async (t) => {
  if (!needs(t, 'curl') || !needs(t, 'openssl') || !needs(t, 'tinyproxy')) return;
  const seen: Record<'curl' | 'holdfast', Set<string>> = { curl: new Set(), holdfast: new Set() };
  const record: RequestListener = (request, response) => {
    const { headers, method, url } = request;
    const who = headers['x-curl'] === undefined ? 'holdfast' : 'curl';
    const { authorization, cookie, host, 'x-api': api, accept, 'x-empty': empty } = headers;
    seen[who].add(JSON.stringify({ method, url, authorization, cookie, host, api, accept, empty }));
    const [, status = '200', location] = /^\/(\d{3})(?:\/(.*))?$/.exec(url ?? '') ?? [];
    response.writeHead(Number(status), location === undefined ? {} : { location: decodeURIComponent(location) }).end();
  };
  const url = await answering(t, record);
  const other = await answering(t, record);
  const authority = certificateAuthority(temporaryFolder(t));
  const serving = async (name: string, isExpired: boolean) => {
    const { key, cert } = authority.sign(name, 'DNS:shop.example.com', { isExpired });
    const server = createHttpsServer({ key: readFileSync(key), cert: readFileSync(cert) }, record);
    return new URL(await listening(t, server)).port;
  };
  const [port, expired] = [await serving('good', false), await serving('expired', true)];
  const proxy = await forwardProxy(t, `holdfast:${secrets.addressPassword}`);
  const shop = `https://shop.example.com:${port}/`;
  const at = `shop.example.com:${port}:127.0.0.1`;
  const cacert = authority.ca;
  const to = (status: number, where: string) => `${status}/${encodeURIComponent(where)}`;
  const who = ['Authorization: Bearer a', 'Cookie: a=b', 'X-Api: c', 'Host: shop.example.com'];
  const httpPort = new URL(url).port;
  const targets: readonly Target[] = [
    { url },
    { url: `${url}503` },
    { url: `${url}404`, header: ['X-Api: one: two', 'Accept:', 'X-Empty;'] },
    { url: `${url}201`, request: 'DELETE' },
    { url: `http://shop.example.com:${httpPort}/`, resolve: [`shop.example.com:${httpPort}:127.0.0.1`] },
    { url: `http://any.example.com:${httpPort}/`, resolve: [`*:${httpPort}:[::1],127.0.0.1`] },
    { url: shop, resolve: [at], cacert },
    { url: `${shop}#unknown-authority`, resolve: [at] },
    { url: `${shop}#insecure`, resolve: [at], insecure: true },
    { url: `https://other.example.com:${port}/`, resolve: [at.replace('shop', 'other')], cacert },
    { url: `https://shop.example.com:${expired}/`, resolve: [at.replace(port, expired)], cacert },
    { url: `${url}#four`, ipv4: true },
    { url: `${url}#six`, ipv6: true },
    { url: `${url}200#proxy`, proxy: proxy.url },
    { url: `${shop}#tunnel`, proxy: proxy.url.replace('127.0.0.1', 'localhost'), insecure: true, ipv4: true },
    { url: `${url}200#stranger`, proxy: proxy.url.replace(secrets.addressPassword, 'wrong') },
    { url: `${shop}#stranger`, proxy: proxy.url.replace(secrets.addressPassword, 'wrong'), insecure: true },
    { url: `${url}${to(302, '/200')}#not-followed` },
    ...[301, 302, 303, 307, 308].flatMap((status) => [
      { url: `${url}${to(status, '/202')}`, location: true },
      { url: `${url}${to(status, '/203')}`, location: true, request: 'POST' },
    ]),
    { url: `${url}${to(302, `${url}200`)}#same`, location: true, header: who },
    { url: `${url}${to(307, `${other}200`)}#other`, location: true, header: who },
    { url: `${url}${to(302, `/${to(302, `/${to(302, '/200')}`)}`)}#two`, location: true, 'max-redirs': 2 },
    { url: `${url}${to(302, `/${to(302, '/204')}`)}#enough`, location: true, 'max-redirs': 2 },
    { url: `${url}302#nowhere`, location: true },
  ];
  const file = `${temporaryFolder(t)}/targets.json`;
  writeFileSync(file, JSON.stringify(targets), { mode: 0o600 });
  const { log, output } = await monitored(t, targets.length, ['--targets', file]);
  const samples = samplesIn(log);
  const fromCurl = async (target: Target) => {
    const { header = [] } = target;
    return byCurl({ ...target, header: [...[header].flat(), 'X-Curl: yes'] });
  };
  for (const target of targets) {
    const sample = samples.find((one) => one.target === new URL(target.url).href);
    const { status, failed } = await fromCurl(target);
    // Too many redirects are an error of curl's; the sample has the status of the last answer, as curl's %{http_code}.
    const isError = failed && status === '000';
    assert.deepEqual([sample?.status, sample?.bad !== ''], [status, isError], `${target.url}\n${output}`);
  }
  assert.ok(seen.curl.size > 20, `${seen.curl.size} different requests`);
  assert.deepEqual([...seen.holdfast].sort(), [...seen.curl].sort());
});

test('no value of a header and no password of a proxy is written anywhere, and the log names the options', async (t) => {
  const [first, second] = [secrets.healthPassword, secrets.addressPassword];
  const got: unknown[] = [];
  const url = await answering(t, ({ headers }, response) => {
    got.push([headers.authorization, headers['x-api'], headers['proxy-authorization']]);
    response.writeHead(500).end('no');
  });
  const words = [
    ...['-k', '-H', `Authorization: Bearer \${TOKEN}`, `-HX-Api: ${second}`, '-L', '--max-redirs', '3'],
    ...['--proxy', url.replace('http://', `http://user:${second}@`), '--body-contains', 'yes', '-X', 'POST'],
    ...['-4', '--resolve', 'shop.example.com:80:127.0.0.1', 'http://shop.example.com/'],
  ];
  const { log, output, commandLine } = await monitored(t, 1, words);
  const proxied = `Basic ${Buffer.from(`user:${second}`).toString('base64')}`;
  assert.deepEqual(got[0], [`Bearer ${first}`, second, proxied]);
  assert.match(commandLine, /^holdfast monitor\0*$/);
  for (const text of [log, output, commandLine]) {
    assert.notEqual(text, '');
    for (const secret of [first, second, proxied]) assert.ok(!text.includes(secret), text);
  }
  const names = 'header,request,resolve,insecure,ipv4,proxy,location,max-redirs,body-contains';
  const [header] = log.split('\n');
  const settings = 'interval=200ms timeout=5s slow=5s expect=200';
  assert.equal(header, `# holdfast downtime-log 1 target=http://shop.example.com/ options=${names} ${settings}`);
});

test('each target of a file has its own options in the header, and a plain one none', async (t) => {
  const url = await answering(t, (_, response) => response.end('Welcome'));
  const file = `${temporaryFolder(t)}/targets.yaml`;
  writeFileSync(file, `- ${url}\n- { url: "${url}#two", header: 'X-Api: \${TOKEN}', body-contains: Wel }\n`);
  const { log } = await monitored(t, 3, ['--targets', file, `${url}#one`, '-6']);
  assert.match(log, / target=\S+#one options=ipv6 target=\S+\/ target=\S+#two options=header,body-contains interval=/);
  const [one, plain, two] = ['#one', '', '#two'].map((end) =>
    samplesIn(log).find(({ target }) => target === url + end),
  );
  assert.deepEqual([one?.bad, plain?.status, two?.status, two?.bad], ['dns', '200', '200', '']);
});

test('the proxy of the environment is gone by, but for NO_PROXY and where none is wanted', async (t) => {
  const asked: unknown[] = [];
  const proxy = await answering(t, (request, response) => {
    asked.push(request.url);
    response.end();
  });
  const name = `http://${'x'.repeat(64)}.invalid/`;
  const by = async (words: readonly string[], env: NodeJS.ProcessEnv) =>
    (await monitored(t, 1, [name, ...words], { HTTP_PROXY: proxy, ...env })).log;
  const gone = await by([], {});
  assert.match(gone, / options=proxy /);
  assert.deepEqual([samplesIn(gone)[0]?.status, asked[0]], ['200', name]);
  assert.equal(samplesIn(await by([], { HTTP_PROXY: '', ALL_PROXY: proxy }))[0]?.status, '200');
  for (const direct of [await by([], { NO_PROXY: '.invalid' }), await by(['--proxy', ''], {})]) {
    assert.ok(!direct.includes('options='), direct);
    assert.equal(samplesIn(direct)[0]?.bad, 'dns');
  }
  const [mistake] = await mistakes([name], { HTTP_PROXY: `socks4://user:${secrets.addressPassword}@proxy` });
  assert.equal(
    mistake,
    'holdfast: HTTP_PROXY is not an http://, socks5:// or socks5h:// address, and no other proxy is known.',
  );
});

test('everything wrong with the flags and the file is said at once, without a value', async (t) => {
  const folder = temporaryFolder(t);
  const file = `${folder}/targets.yaml`;
  writeFileSync(
    file,
    `- { url: http://a.example/, headers: { 'X Y': ${secrets.addressPassword} }, cacert: ${folder}/none }
- { url: http://b.example/, cacert: ${folder}/none }
- { url: ftp://b.example/, loction: true }
- { url: http://c.example/, ipv4: true, ipv6: true, header: 'X-Api: \${UNSET}' }
- [http://d.example/]
`,
  );
  const wrong = [
    '-H',
    secrets.healthPassword,
    '-H',
    `X: \${UNSET}`,
    '--resolve',
    'a',
    '--max-redirs',
    'x',
    '-X',
    'A B',
  ];
  const said = await mistakes([
    'http://a.example/',
    '--targets',
    file,
    ...wrong,
    '--body-contains',
    '/(/',
    '--cacert',
    file,
  ]);
  const at = `holdfast: ${file}: target`;
  assert.deepEqual(said, [
    `holdfast: the command line uses \${UNSET}, but UNSET is not set in the environment.`,
    'holdfast: --request is not a method of HTTP.',
    "holdfast: --resolve.0 is 'a', which is not HOST:PORT:ADDRESS[,ADDRESS…].",
    "holdfast: --max-redirs is 'x', which is no number of redirects: 0 or more, or -1 for any.",
    'holdfast: --body-contains is not a regular expression.',
    "holdfast: --header has an entry that is not 'Name: value' in one line (number 1).",
    `holdfast: --cacert names ${file}, which holds no certificate in PEM.`,
    `holdfast: ${file} uses \${UNSET}, but UNSET is not set in the environment.`,
    `${at} 1: headers has an entry that is not 'Name: value' in one line (number 1).`,
    `${at} 1: cacert names ${folder}/none, and there is no such file.`,
    `${at} 2: cacert names ${folder}/none, and there is no such file.`,
    `${at} 3: url is 'ftp://b.example/', which is not an http:// or https:// address.`,
    `${at} 3: loction is not a known setting; did you mean location?`,
    `${at} 4: ipv6 stands beside ipv4, which leaves no address.`,
    `${at} 5: url is ["http://d.example/"], which is not text.`,
  ]);
  assert.deepEqual(await mistakes(['http://a.example/', '-4', '-6']), [
    'holdfast: --ipv6 stands beside ipv4, which leaves no address.',
  ]);
  assert.deepEqual(await mistakes([]), ['holdfast: URL is missing: give one, or --targets FILE.']);
  const twice = await mistakes(['http://a.example', '--target', 'http://a.example/']);
  assert.match(twice.join(), /^holdfast: http:\/\/a\.example\/ is there more than once: give each a fragment/);
  writeFileSync(file, `- { url: http://a.example/, headers: { Cookie: ${secrets.addressPassword} } }\n`, {
    mode: 0o644,
  });
  assert.match((await mistakes(['--targets', file])).join(), /targets\.yaml holds a secret, and other users can read/);
  writeFileSync(file, 'a: [');
  assert.match((await mistakes(['--targets', file])).join(), /targets\.yaml is not valid YAML/);
});
