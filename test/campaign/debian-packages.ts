import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { basename } from 'node:path';
import { test } from 'node:test';
import { builtPackage } from '../packaging/support/debian-package.ts';

const { version } = JSON.parse(readFileSync(new URL('../../package.json', import.meta.url), 'utf8'));
const limits = { timeout: 240_000 };

test('the same sources at the same SOURCE_DATE_EPOCH are the same bytes', limits, (t) => {
  const [one, other] = [builtPackage(t), builtPackage(t, 'another', 'amd64', '077')];
  if (one === undefined || other === undefined) return;
  assert.equal(basename(one), `holdfast_${version}_amd64.deb`);
  assert.ok(readFileSync(one).equals(readFileSync(other)));
});

test('the same script makes the package of arm64', limits, (t) => {
  const file = builtPackage(t, 'clone', 'arm64');
  if (file === undefined) return;
  assert.equal(basename(file), `holdfast_${version}_arm64.deb`);
  const field = spawnSync('dpkg-deb', ['--field', file, 'Architecture'], { encoding: 'utf8' }).stdout.trim();
  assert.equal(field, 'arm64');
  const node = spawnSync('sh', [
    '-c',
    'dpkg-deb --fsys-tarfile "$1" | tar -xO ./usr/lib/holdfast/package/bin/node | head -c 20',
    'sh',
    file,
  ]).stdout;
  // ELF header, e_machine: 183 is AArch64.
  assert.equal(node.readUInt16LE(18), 183);
});
