import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { test } from 'node:test';
import { answering } from '../../support/loopback-server.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';

const holdfast = `${import.meta.dirname}/../../../bin/holdfast.js`;

const run = (...words: readonly string[]) =>
  new Promise<{ readonly code: unknown; readonly out: string; readonly said: string }>((resolve) => {
    const env = { PATH: process.env.PATH };
    execFile(process.execPath, [holdfast, 'monitor', ...words], { env }, (error, out, said) =>
      resolve({ code: error?.code ?? 0, out, said }),
    );
  });

interface Told {
  readonly outages: readonly { readonly target?: string; readonly kinds: readonly string[] }[];
}

test('a target of the file has its own status, slow limit, timeout and page, and the log judges it by them', async (t) => {
  const url = await answering(t, ({ url: asked = '' }, response) => {
    const [, status = '200', millis = '0'] = /^\/(\d{3})\/(\d+)/.exec(asked) ?? [];
    setTimeout(() => response.writeHead(Number(status)).end('Welcome'), Number(millis));
  });
  const folder = temporaryFolder(t);
  const [file, log] = [`${folder}/targets.yaml`, `${folder}/downtime.log`];
  const targets = [
    `- { url: '${url}301/0', expect: 301 }`,
    `- { url: '${url}200/400', slow: 5s }`,
    `- { url: '${url}200/1500', timeout: 100ms }`,
    `- { url: '${url}200/1#page', body: Goodbye }`,
    `- { url: '${url}200/2', body: Welcome }`,
    `- '${url}301/1'`,
    `- '${url}200/401'`,
  ];
  writeFileSync(file, `${targets.join('\n')}\n`);
  const words = [
    '--log',
    log,
    '--interval',
    '500ms',
    '--slow',
    '200ms',
    '--duration',
    '1600ms',
    '--no-reused',
    '--json',
  ];
  const { code, out, said } = await run('--targets', file, ...words);
  const kinds = (JSON.parse(out) as Told).outages.map(({ target, kinds }) => [target?.slice(url.length), kinds]);
  assert.deepEqual(kinds.toSorted(), [
    ['200/1#page', ['body']],
    ['200/1500', ['timeout']],
    ['200/401', ['slow']],
    ['301/1', ['301']],
  ]);
  assert.equal(code, 1, said);
  const [header = ''] = readFileSync(log, 'utf8').split('\n');
  assert.ok(header.includes(`target=${url}301/0 target-expect=301 target=${url}200/400 target-slow=5s`), header);
});

test('what is wrong with a target’s own settings is said with the rest, and an only target is judged by its own', async (t) => {
  const folder = temporaryFolder(t);
  const file = `${folder}/targets.json`;
  writeFileSync(
    file,
    JSON.stringify([{ url: 'http://a/', expect: 'up', slow: '1', timeout: '1ms', body: '', interval: '2s' }]),
  );
  const { code, said } = await run('--targets', file, '--interval', 'x');
  assert.equal(code, 2);
  const mistakes = said.trimEnd().split('\n');
  assert.deepEqual(
    mistakes.map((line) => line.replace(`${file}: target 1: `, '').split(' ')[1]),
    ['--interval', 'expect', 'slow', 'timeout', 'body', 'interval'],
    said,
  );
  const url = await answering(t, (_, response) => response.writeHead(301).end());
  writeFileSync(file, JSON.stringify([{ url, expect: 301 }]));
  const log = `${folder}/downtime.log`;
  const ran = await run('--targets', file, '--log', log, '--duration', '1500ms');
  assert.equal(ran.code, 0, ran.said + readFileSync(log, 'utf8'));
  assert.match(readFileSync(log, 'utf8'), / slow=1s expect=301$/m);
});
