import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { Ajv } from 'ajv';
import { temporaryFolder } from '../support/temporary-folder.ts';

const root = join(import.meta.dirname, '../..');
/** The schemas of CycloneDX as its own library has them. */
const library = '@cyclonedx/cyclonedx-library@10.3.0';

test('the bill of materials is one of CycloneDX 1.6', { timeout: 300_000 }, (t) => {
  const folder = temporaryFolder(t);
  execFileSync('npm', ['pack', '--silent', '--pack-destination', folder, library]);
  execFileSync('sh', ['-c', 'tar xzf *.tgz'], { cwd: folder });
  const schema = (name: string): object => JSON.parse(readFileSync(join(folder, 'package/res/schema', name), 'utf8'));
  const ajv = new Ajv({ strict: false, validateFormats: false });
  for (const name of ['spdx.SNAPSHOT.schema.json', 'jsf-0.82.SNAPSHOT.schema.json']) ajv.addSchema(schema(name), name);
  const isValid = ajv.compile(schema('bom-1.6.SNAPSHOT.schema.json'));
  execFileSync('npm', ['run', '--silent', 'build'], { cwd: root });
  const bill: object = JSON.parse(readFileSync(join(root, 'dist/holdfast.cdx.json'), 'utf8'));
  assert.ok(isValid(bill), JSON.stringify(isValid.errors?.slice(0, 5)));
  assert.ok(!isValid({ ...bill, specVersion: 1 }));
});
