import assert from 'node:assert/strict';
import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { writeNotices } from '../../packaging/notices.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';

const root = join(import.meta.dirname, '../..');

test('what is bundled has its notice, and is in the CycloneDX document, which no other package is', (t) => {
  const folder = temporaryFolder(t);
  const inputs = globSync('node_modules/{commander,zod}/package.json', { cwd: root });
  writeNotices(folder, inputs);
  const notices = readFileSync(join(folder, 'THIRD-PARTY-NOTICES'), 'utf8');
  assert.match(notices, /^commander \d+\.\d+\.\d+ \(MIT\)\n\n\(The MIT License\)/);
  assert.match(notices, /^zod \d+\.\d+\.\d+ \(MIT\)$/m);
  const { bomFormat, specVersion, components } = JSON.parse(readFileSync(join(folder, 'holdfast.cdx.json'), 'utf8'));
  assert.deepEqual([bomFormat, specVersion], ['CycloneDX', '1.6']);
  const names: readonly string[] = components.map(({ name }: { readonly name: string }) => name);
  assert.ok(names.includes('commander') && names.includes('yaml'));
  assert.ok(!names.includes('typescript'));
  for (const { purl, licenses, hashes } of components) {
    assert.match(purl, /^pkg:npm\/(%40[\w.-]+\/)?[\w.-]+@\d/);
    assert.ok(licenses?.length === 1 && /^[0-9a-f]{128}$/.test(hashes?.[0]?.content), purl);
  }
});
