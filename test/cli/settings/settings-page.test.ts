import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import * as z from 'zod';
import { requestOptions } from '../../../src/settings/request-options.ts';
import { validationSchema } from '../../../src/validation/settings.ts';

const page = readFileSync(new URL('../../../docs/settings.md', import.meta.url), 'utf8');
const section = page.slice(page.indexOf('## validation'), page.indexOf('## deployment'));

const words = (cell: string): readonly string[] => [...cell.matchAll(/`([^`]+)`/g)].map(([, word = '']) => word);

/** Each key of the table with its default; `monitor.interval` and `timeout` beside it are of one group. */
const written = new Map(
  [...section.matchAll(/^\| (`[^|]+) \| ?([^|]*?) ?\|/gm)].flatMap(([, keys = '', defaults = '']) => {
    const [first = '', ...more] = words(keys);
    const group = first.slice(0, first.lastIndexOf('.') + 1);
    const names = [first, ...more.map((name) => (name.includes('.') ? name : `${group}${name}`))];
    return names.map((name, index) => [name, words(defaults)[index]] as const);
  }),
);

const inner = (schema: unknown) => (schema as { def: { innerType?: z.ZodType; defaultValue?: unknown } }).def;

/** Each setting of the schema with its default as people write it; undefined without one. */
function settingsOf(schema: z.ZodType, key: string): readonly (readonly [string, unknown])[] {
  const { innerType, defaultValue } = inner(schema);
  const isText = ['string', 'number', 'boolean'].includes(typeof defaultValue) || defaultValue === null;
  if (innerType !== undefined && isText) return [[key, defaultValue]];
  if (innerType !== undefined) return settingsOf(innerType, key);
  if (!(schema instanceof z.ZodObject)) return [[key, undefined]];
  const members = Object.entries(schema.shape as Readonly<Record<string, z.ZodType>>);
  return members.flatMap(([name, member]) => settingsOf(member, key === '' ? name : `${key}.${name}`));
}

/** Those have a table of their own. */
const isOption = (key: string): boolean => key.replace(/^monitor\./, '') in requestOptions;

/** A group that one cell has as a map, or that a section describes. */
const described = (key: string): boolean =>
  key.split('.').some((_, depth, parts) => written.has(parts.slice(0, depth + 1).join('.')));

test('docs/settings.md has every setting of validation, and its default where the cell names one', () => {
  const settings = settingsOf(validationSchema, '');
  assert.ok(settings.length > 50, 'settings are found');
  assert.deepEqual(
    settings.map(([key]) => key).filter((key) => !isOption(key) && !described(key)),
    [],
  );
  const wrong = settings.flatMap(([key, value]) => {
    const said = written.get(key);
    return said === undefined || value === undefined || said === String(value) ? [] : [`${key}: ${said}, not ${value}`];
  });
  assert.deepEqual(wrong, []);
});

test('docs/settings.md has every option of a request', () => {
  const options = page.slice(page.indexOf('## A request’s options'));
  const rows = [...options.matchAll(/^\| (`[^|]+) \|/gm)].flatMap(([, keys = '']) => words(keys));
  assert.deepEqual(
    Object.keys(requestOptions).filter((key) => !rows.includes(key)),
    [],
  );
});
