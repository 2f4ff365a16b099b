import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { createServer as createHttpServer } from 'node:http';
import { createServer as createHttp2Server, createSecureServer } from 'node:http2';
import { createServer as createHttpsServer, type ServerOptions } from 'node:https';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { brotliCompressSync, deflateSync, gzipSync, zstdCompressSync } from 'node:zlib';
import type { Sample, Target } from '../../../src/host/host.ts';
import { prober } from '../../../src/host/probe/probe.ts';
import { certificateAuthority } from '../../support/certificates.ts';
import { answering, connecting, listening } from '../../support/loopback-server.ts';
import { needs } from '../../support/needs.ts';
import { socksProxy } from '../../support/socks-proxy.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';

const probe = (target: Target, connection: 'new' | 'reused' = 'new'): Promise<Sample> =>
  prober()(target, connection, 5);
const secured = (url: string) => url.replace('http:', 'https:');

test('a status of more than three digits is no HTTP', async (t) => {
  for (const line of ['HTTP/1.1 2000', 'HTTP/1.1 200OK', 'HTTP/1.0 20']) {
    const url = await connecting(t, (socket) => socket.end(`${line}\r\nContent-Length: 0\r\n\r\n`));
    const { status, error } = await probe({ url });
    assert.deepEqual([status, error], [0, 'protocol'], line);
  }
  const bare = await connecting(t, (socket) => socket.end('HTTP/1.1 200\r\nContent-Length: 0\r\n\r\n'));
  assert.equal((await probe({ url: bare })).status, 200, 'the reason may be missing');
});

test('a HEAD asks for the head alone', async (t) => {
  const url = await answering(t, ({ method }, response) =>
    response.writeHead(method === 'HEAD' ? 200 : 405, { 'content-length': '1000000' }).end(),
  );
  assert.equal((await probe({ url, method: 'HEAD' }, 'reused')).status, 200);
});

test('data are posted as a form, and go on only with a redirect that keeps them', async (t) => {
  const seen: string[] = [];
  const url = await answering(t, (request, response) => {
    let body = '';
    request.on('data', (piece) => {
      body += piece;
    });
    request.on('end', () => {
      const { method, url: path, headers } = request;
      seen.push(`${method} ${path} ${headers['content-type'] ?? '-'} ${body}`);
      if (path === '/end') response.end('ok');
      else response.writeHead(Number(path?.slice(1)), { location: '/end' }).end();
    });
  });
  for (const status of [303, 307])
    assert.equal((await probe({ url: `${url}${status}`, data: 'a=ü', redirects: 1 })).status, 200);
  assert.deepEqual(seen, [
    'POST /303 application/x-www-form-urlencoded a=ü',
    'GET /end - ',
    'POST /307 application/x-www-form-urlencoded a=ü',
    'POST /end application/x-www-form-urlencoded a=ü',
  ]);
});

test('a compressed body is looked at as it was before', async (t) => {
  const page = '<h1>Welcome</h1> to the shop';
  const bodies: Readonly<Record<string, Buffer>> = {
    gzip: gzipSync(page),
    deflate: deflateSync(page),
    br: brotliCompressSync(page),
    zstd: zstdCompressSync(page),
    'gzip, br': brotliCompressSync(gzipSync(page)),
    identity: Buffer.from(page),
  };
  const url = await answering(t, (request, response) => {
    const coding = decodeURIComponent(request.url?.slice(1) ?? '');
    response.setHeader('content-encoding', coding);
    response.end(request.headers['accept-encoding'] === 'deflate, gzip, br, zstd' ? bodies[coding] : 'not asked for');
  });
  for (const coding of Object.keys(bodies)) {
    const target = { url: url + encodeURIComponent(coding), compressed: true, body: 'Welcome' };
    assert.equal((await probe({ ...target, bodyContains: 'the shop' })).bodyMatched, true, coding);
    assert.equal((await probe({ ...target, bodyContains: 'the bank' })).bodyMatched, false, coding);
  }
});

test('a body that becomes gigabytes is looked at for its first MiB, and one that is not of its coding is wrong', async (t) => {
  const bomb = gzipSync(Buffer.concat([Buffer.from('begin'), Buffer.alloc(40_000_000)]));
  const url = await answering(t, (request, response) => {
    response.setHeader('content-encoding', 'gzip');
    response.end(request.url === '/bomb' ? bomb : 'begin');
  });
  const before = process.memoryUsage().rss;
  assert.equal((await probe({ url: `${url}bomb`, bodyContains: 'begin' })).bodyMatched, true);
  assert.ok(process.memoryUsage().rss - before < 30_000_000);
  assert.equal((await probe({ url: `${url}plain`, bodyContains: 'begin' })).bodyMatched, false);
});

async function httpsServer(t: TestContext, options: ServerOptions): Promise<string> {
  const server = createHttpsServer(options, (request, response) =>
    request.url === '/' ? response.end('ok') : response.writeHead(302, { location: request.url?.slice(1) }).end(),
  );
  return secured(await listening(t, server));
}

test('a server that wants a certificate of the client gets it', async (t) => {
  if (!needs(t, 'openssl')) return;
  const authority = certificateAuthority(temporaryFolder(t));
  const read = ({ cert, key }: { readonly cert: string; readonly key: string }) => ({
    cert: readFileSync(cert, 'utf8'),
    key: readFileSync(key, 'utf8'),
  });
  const ca = readFileSync(authority.ca, 'utf8');
  const server = read(authority.sign('server', 'IP:127.0.0.1'));
  const url = await httpsServer(t, { ...server, ca, requestCert: true, rejectUnauthorized: true });
  assert.equal((await probe({ url, ca, identity: read(authority.sign('client')) })).status, 200);
  assert.equal((await probe({ url, ca })).error, 'tls');
});

/** A certificate for loopback with its whole chain, whose parts end after so many days. */
function chain(folder: string, days: { readonly authority: number; readonly server: number }) {
  const openssl = (...words: readonly string[]) => execFileSync('openssl', words, { cwd: folder, stdio: 'pipe' });
  const name = `${days.authority}-${days.server}`;
  const made = ['req', '-x509', '-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:P-256', '-nodes'];
  openssl(...made, '-days', `${days.authority}`, '-subj', `/CN=authority ${name}`, '-keyout', 'a.key', '-out', 'a.crt');
  const server = ['-days', `${days.server}`, '-subj', '/CN=server', '-addext', 'subjectAltName=IP:127.0.0.1'];
  openssl(...made, '-CA', 'a.crt', '-CAkey', 'a.key', ...server, '-keyout', 's.key', '-out', 's.crt');
  const read = (file: string) => readFileSync(join(folder, file), 'utf8');
  return { ca: read('a.crt'), cert: read('s.crt') + read('a.crt'), key: read('s.key') };
}

test('the certificate that ends first counts, of the whole chain and of each redirect', async (t) => {
  if (!needs(t, 'openssl')) return;
  const folder = temporaryFolder(t);
  const inDays = ({ certificateEndsAt = 0, certificateOf }: Sample) =>
    [Math.round((certificateEndsAt - Date.now()) / 86_400_000), certificateOf] as const;
  const long = chain(folder, { authority: 300, server: 90 });
  const short = chain(folder, { authority: 20, server: 90 });
  const ca = long.ca + short.ca;
  const [first, second] = [await httpsServer(t, long), await httpsServer(t, short)];
  assert.deepEqual(inDays(await probe({ url: first, ca })), [90, undefined]);
  assert.deepEqual(inDays(await probe({ url: second, ca })), [20, 'authority 20-90']);
  assert.deepEqual(inDays(await probe({ url: first + second, ca, redirects: 3 })), [20, 'authority 20-90']);
  const leaf = await httpsServer(t, chain(folder, { authority: 300, server: 10 }));
  const all = ca + readFileSync(join(folder, 'a.crt'), 'utf8');
  assert.deepEqual(inDays(await probe({ url: first + leaf, ca: all, redirects: 3 })), [10, new URL(leaf).host]);
});

test('a socket of this machine is connected to, whatever the name is', async (t) => {
  const path = join(temporaryFolder(t), 'web.sock');
  const server = createHttpServer(({ headers }, response) => response.end(headers.host));
  await new Promise<void>((resolve) => server.listen(path, resolve));
  t.after(() => server.close());
  const target = { url: 'http://shop.example/', unixSocket: path, body: 'shop.example' };
  for (const connection of ['new', 'reused'] as const)
    assert.equal((await probe(target, connection)).bodyMatched, true, connection);
  assert.equal((await probe({ ...target, unixSocket: `${path}.gone` })).error, 'connect');
});

test('a SOCKS proxy is gone by; socks5h leaves the look-up to it', async (t) => {
  const url = await answering(t, (_, response) => response.end('ok'));
  const { port } = new URL(url);
  const open = await socksProxy(t);
  assert.equal((await probe({ url, proxy: `socks5://${open.address}` })).status, 200);
  const there = `http://nowhere.invalid:${port}/`;
  assert.equal((await probe({ url: there, proxy: `socks5h://${open.address}` })).status, 200);
  assert.deepEqual(open.asked, ['127.0.0.1', 'nowhere.invalid']);
  assert.equal((await probe({ url: there, proxy: `socks5://${open.address}` })).error, 'dns');
  assert.equal((await probe({ url: 'http://127.0.0.1:1/', proxy: `socks5://${open.address}` })).error, 'refused');
  const closed = await socksProxy(t, 'me:secret');
  assert.equal((await probe({ url, proxy: `socks5://me:secret@${closed.address}` })).status, 200);
  assert.equal((await probe({ url, proxy: `socks5://me:wrong@${closed.address}` })).error, 'connect');
  assert.equal((await probe({ url, proxy: `socks5://${closed.address}` })).error, 'connect');
});

test('HTTP/2 is spoken where it is wanted, on new connections and on kept ones', async (t) => {
  if (!needs(t, 'openssl')) return;
  const { ca, cert, key } = chain(temporaryFolder(t), { authority: 300, server: 90 });
  const seen = new Set<unknown>();
  const server = createSecureServer({ cert, key });
  server.on('stream', (stream, headers) => {
    seen.add(stream.session);
    const body = `${headers[':method']} ${headers[':authority']} ${headers['x-own']}`;
    stream.respond({ ':status': headers[':path'] === '/gone' ? 410 : 200 });
    stream.end(body);
  });
  const url = secured(await listening(t, server));
  const { host } = new URL(url);
  const refused = await probe({ url, ca, http2: false });
  assert.deepEqual([refused.error, refused.reason], ['tls', 'alpn']);
  const unasked = prober();
  for (const connection of ['new', 'reused', 'reused'] as const)
    assert.equal((await unasked({ url, ca }, connection, 5)).status, 200, connection);
  assert.equal(seen.size, 2, 'of three probes the last had a kept session');
  seen.clear();
  const target = { url, ca, http2: true, headers: [{ name: 'X-Own', value: 'mine' }], body: `GET ${host} mine` };
  const twice = prober();
  for (const connection of ['new', 'reused', 'reused', 'new'] as const) {
    const { status, bodyMatched, phases } = await twice(target, connection, 5);
    assert.deepEqual([status, bodyMatched], [200, true], connection);
    assert.ok((phases.firstByte ?? 0) > 0);
  }
  assert.equal(seen.size, 3, 'one session was kept');
  assert.equal((await probe({ ...target, url: `${url}gone` })).status, 410);
  const posted = { ...target, data: 'a=1', body: `POST ${host} mine` };
  assert.equal((await probe(posted)).bodyMatched, true);
});

test('HTTP/2 without TLS, and a server of HTTP/1.1 that was asked for it', async (t) => {
  const server = createHttp2Server((_, response) => response.end('ok'));
  const url = await listening(t, server);
  assert.equal((await probe({ url, http2: true })).status, 200);
  assert.equal((await probe({ url })).error, 'protocol');
  const old = await answering(t, (_, response) => response.end('ok'));
  assert.equal((await probe({ url: old, http2: true })).error, 'protocol');
  const silent = await connecting(t, () => {});
  assert.equal((await prober()({ url: silent, http2: true }, 'new', 0.3)).error, 'timeout');
});
