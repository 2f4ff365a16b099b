import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { Ajv } from 'ajv';
import { parse } from 'yaml';
import { scenarios } from '../../src/validation/scenarios/index.ts';
import { packaging } from './support/in-cluster-objects.ts';

const chart = join(packaging, 'helm/holdfast');
const schema = JSON.parse(readFileSync(join(chart, 'values.schema.json'), 'utf8'));
const values = parse(readFileSync(join(chart, 'values.yaml'), 'utf8'));
const validate = new Ajv({ allErrors: true, strict: true, allowUnionTypes: true }).compile(schema);

/** Where the chart's values with these in their place do not fit the schema, by which helm refuses them. */
function mistakes(part: string, over: object): readonly string[] {
  validate({ ...values, [part]: { ...values[part], ...over } });
  return (validate.errors ?? []).map(({ instancePath, params }) =>
    `${instancePath} ${params.additionalProperty ?? ''}`.trim(),
  );
}

type Members = Readonly<Record<string, unknown>>;

/** The paths of all that the schema or the values name; `of` gives the members of a value. */
function paths(of: (value: unknown) => unknown, value: unknown, at = ''): readonly string[] {
  return Object.entries((of(value) ?? {}) as Members).flatMap(([key, member]) => [
    `${at}/${key}`,
    ...paths(of, member ?? {}, `${at}/${key}`),
  ]);
}

test('the chart’s values fit their schema, and it has a word for each of them', () => {
  assert.ok(validate(values), JSON.stringify(validate.errors));
  const described = new Set(paths((value) => (value as { properties?: object }).properties, schema));
  const open = /^\/(image|monitor|validation)\/?\w*$/;
  const written = paths((value) => (Array.isArray(value) || typeof value !== 'object' ? {} : value), values).filter(
    (path) => open.test(path),
  );
  assert.ok(written.length > 15);
  for (const path of written) assert.ok(described.has(path), path);
  assert.deepEqual(
    schema.properties.validation.properties.scenarios.items.enum.toSorted(),
    scenarios.map(({ name }) => name).toSorted(),
  );
});

test('values that the pods would only find out about are refused before anything is installed', () => {
  assert.deepEqual(mistakes('monitor', { targets: [] }), ['/monitor/targets']);
  assert.deepEqual(mistakes('monitor', { replica: 2 }), ['/monitor replica']);
  assert.ok(mistakes('monitor', { targets: 'http://app.example.com/' }).length > 0);
  assert.ok(mistakes('monitor', { targets: ['app.example.com'] }).length > 0);
  assert.deepEqual(
    mistakes('monitor', { targets: [{ url: 'https://a.example/', expect: 204 }, 'http://b.example/'] }),
    [],
  );
  assert.deepEqual(mistakes('validation', { scenarios: ['scale-upp'] }), ['/validation/scenarios/0']);
  assert.deepEqual(mistakes('validation', { metrics: 'pushgateway:9091' }), ['/validation/metrics']);
  assert.deepEqual(mistakes('image', { pullSecrets: ['registry'] }), ['/image/pullSecrets/0']);
  assert.deepEqual(mistakes('image', { tag: 2 }), []);
});
