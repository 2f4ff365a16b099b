import assert from 'node:assert/strict';
import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { styleText } from 'node:util';
import fc from 'fast-check';
import { ApiError } from '../../src/cluster/cluster.ts';
import { output } from '../../src/host/output.ts';
import { visible } from '../../src/host/visible.ts';
import { holderOf } from '../../src/validation/lease/other-holders.ts';

const root = join(import.meta.dirname, '../..');
const escapeByte = String.fromCharCode(0x1b);

test('of a text from outside a terminal obeys nothing but colours, and a JSON document stays the same', () => {
  for (const hostile of [
    `${escapeByte}[2J`,
    `${escapeByte}[1A`,
    `${escapeByte}]0;x\u0007`,
    `${escapeByte}[8m`,
    '\u009b2J',
    'a\rb',
    '\u202e',
    `${escapeByte}c`,
    '\u007f',
  ])
    assert.match(visible(`a${hostile}b`), /^[ -~]+$/, JSON.stringify(hostile));
  const painted = styleText(['bold', 'red'], 'no', { validateStream: false });
  assert.equal(visible(`${painted}\tä → ✓\n`), `${painted}\tä → ✓\n`);
  fc.assert(
    fc.property(fc.json(), (text) => {
      const document = JSON.stringify(JSON.parse(text));
      assert.deepEqual(JSON.parse(visible(document)), JSON.parse(text));
    }),
  );
});

test('every text that a host writes is made visible, but what the live region draws', async () => {
  const written: string[] = [];
  const write = (text: string, done?: () => void): void => {
    written.push(text);
    done?.();
  };
  const stream = { on: () => stream, write };
  const out = output(stream as unknown as NodeJS.WriteStream);
  out.write(`${escapeByte}[2J`);
  await out.written?.(`${escapeByte}[2J`);
  out.draw?.(`${escapeByte}[2J`);
  assert.deepEqual(written, ['\\u001b[2J', '\\u001b[2J', `${escapeByte}[2J`]);
});

test('nothing but the host writes to the terminal, and nothing but the live region and the sections of a CI draw', () => {
  const files = globSync('{src,bin}/**/*.{ts,js}', { cwd: root });
  const having = (what: RegExp): readonly string[] =>
    files.filter((path) => what.test(readFileSync(join(root, path), 'utf8'))).toSorted();
  assert.deepEqual(having(/process\.std(out|err)|console\.\w+\(|\bwriteSync\([12],/), [
    'bin/holdfast.js',
    'src/cli/main.ts',
    'src/host/node.ts',
  ]);
  assert.deepEqual(having(/\.draw\b.*\?\?/), ['src/cli/terminal/line-writer.ts', 'src/cli/terminal/live-region.ts']);
});

test('a message of an API server and the holder of a Lease are one line each', () => {
  const message = 'no\nholdfast: everything is fine\r\n::error::x';
  const at = { tried: 'Reading', on: 'pods', status: 403, reason: 'Forbidden\n', message };
  assert.ok(!/[\n\r]/.test(new ApiError(at).message));
  const lease = { metadata: { name: 'x', namespace: 'y' }, spec: { holderIdentity: `a\n${message}` } };
  assert.ok(!/[\n\r]/.test(holderOf(lease as never).holder));
});
