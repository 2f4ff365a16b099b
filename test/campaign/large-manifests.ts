import assert from 'node:assert/strict';
import { test } from 'node:test';
import { stringify } from 'yaml';
import { readOwn } from '../../src/cli/manifests/read-own.ts';
import { systemClock } from '../../src/host/clock.ts';
import { memoryFiles } from '../../src/host/memory-files.ts';
import { objects } from '../support/own-manifests.ts';
import { quietHost } from '../support/quiet-host.ts';

/**
 * 4 s and 499 MiB were measured for 10 MB on 2 busy cores; the heap that Node may use by default on a machine of 4 GB
 * is 2 GB.
 */
const mostBytes = 1.5 * 1024 ** 3;
const textBytes = 10 * 1024 ** 2;

/** A definition as generators write them: 300 fields with a description, some 100 KB. */
function definition(index: number): object {
  const names = {
    kind: `Thing${index}`,
    plural: `things${index}`,
    singular: `thing${index}`,
    listKind: `Thing${index}List`,
  };
  const field = (n: number) => [
    `field${n}`,
    {
      type: 'string',
      description:
        `Field ${n} is explained at length, as definitions made from Go comments do it, in a line or two. `.repeat(2),
    },
  ];
  const spec = { type: 'object', properties: Object.fromEntries(Array.from({ length: 300 }, (_, n) => field(n))) };
  const schema = { openAPIV3Schema: { type: 'object', properties: { spec } } };
  const group = `group${index}.example.com`;
  return {
    apiVersion: 'apiextensions.k8s.io/v1',
    kind: 'CustomResourceDefinition',
    metadata: { name: `${names.plural}.${group}` },
    spec: { group, scope: 'Namespaced', names, versions: [{ name: 'v1', served: true, storage: true, schema }] },
  };
}

const definitions: string[] = [];
for (let bytes = 0; bytes < textBytes; bytes += definitions.at(-1)?.length ?? 0)
  definitions.push(stringify(definition(definitions.length)));

const read = async (texts: readonly string[]) => {
  const files = memoryFiles();
  await files.replace('own.yaml', texts.join('---\n'));
  const host = { ...quietHost(), files, clock: systemClock() };
  return readOwn({ host } as unknown as Parameters<typeof readOwn>[0], { paths: ['own.yaml'], rehearsed: true });
};
const application = objects().map((one) => stringify(one));
const thing = (size: unknown) =>
  stringify({ apiVersion: 'group0.example.com/v1', kind: 'Thing0', metadata: { name: 'one' }, spec: { field7: size } });

test('10 MB of definitions beside an application are taken in bounded memory', async (t) => {
  const own = await read([...definitions, thing('large'), ...application]);
  const { maxRSS: kibibytes } = process.resourceUsage();
  t.diagnostic(`${definitions.length} definitions, ${(kibibytes / 1024).toFixed(0)} MiB`);
  assert.equal(own.application.name, 'shop-web');
  assert.equal(own.located.length, definitions.length + 1 + application.length);
  assert.ok(kibibytes * 1024 < mostBytes, `${kibibytes} KiB`);
});

test('a custom resource is judged by its definition among 10 MB of them, at its line', async () => {
  await assert.rejects(read([...definitions, thing(7), ...application]), (error: Error) => {
    assert.match(error.message, /^own\.yaml:\d{6}: spec\.field7: [^\n]* must be of type string: "integer"\.$/m);
    return true;
  });
});
