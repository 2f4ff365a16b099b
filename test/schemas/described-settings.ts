import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type * as z from 'zod';

type Schema = z.core.JSONSchema.BaseSchema;

const page = readFileSync(join(import.meta.dirname, '../../docs/settings.md'), 'utf8');

/** What a table of docs/settings.md says of each key, without its links. `monitor.interval` `timeout` share a row. */
function tableUnder(heading: string): ReadonlyMap<string, string> {
  const [, section = ''] = page.split(`\n${heading}\n`);
  const [own = ''] = section.split(/\n##/);
  const rows = [...own.matchAll(/^\| (`[^|]+?) \|(?:.*\|)? ([^|]+?) \|$/gm)];
  return new Map(
    rows.flatMap(([, keys = '', words = '']) => {
      const [first = '', ...more] = [...keys.matchAll(/`([^`]+)`/g)].map(([, key = '']) => key);
      const group = first.slice(0, first.lastIndexOf('.') + 1);
      const names = [first, ...more.map((name) => (name.includes('.') ? name : `${group}${name}`))];
      const text = words.replaceAll(/\[([^\]]+)\]\([^)]*\)/g, '$1');
      return names.map((name) => [name, text] as const);
    }),
  );
}

const requestOptions = tableUnder('## A request’s options');
const step = tableUnder('### A step');

/** Gives each setting of the schema of holdfast.yaml what docs/settings.md says of it, for an editor to show. */
export function describeSettings(schema: Schema): void {
  for (const section of ['validation', 'deployment', 'monitor'])
    describe(memberOf(schema, section), tableUnder(`## ${section}`));
  const rehearsed = tableUnder('### The application of a rehearsal');
  describe(memberOf(schema, 'validation', 'rehearse', 'application'), rehearsed);
  describeParts(schema);
}

/** Options of a request and steps, wherever they stand. */
function describeParts(schema: Schema): void {
  const { properties = {}, items, anyOf = [] } = schema;
  if (properties.maxRedirs !== undefined) describe(schema, requestOptions);
  if (properties.whenChanged !== undefined) describe(schema, step);
  for (const inner of [...Object.values(properties), ...anyOf, items]) if (isSchema(inner)) describeParts(inner);
}

function describe(schema: Schema | undefined, texts: ReadonlyMap<string, string>): void {
  for (const [key, text] of texts) {
    const member = memberOf(schema, ...key.split('.'));
    if (member !== undefined) member.description = text;
  }
}

function memberOf(schema: Schema | undefined, ...keys: readonly string[]): Schema | undefined {
  return keys.reduce<Schema | undefined>((inner, key) => {
    const member = inner?.properties?.[key];
    return isSchema(member) ? member : undefined;
  }, schema);
}

const isSchema = (value: unknown): value is Schema => typeof value === 'object' && value !== null;
