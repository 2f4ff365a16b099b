import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import type { ValidateFunction } from 'ajv';
import { Ajv2020 } from 'ajv/dist/2020.js';

const ajv = new Ajv2020({ allErrors: true, strict: true, allowUnionTypes: true });
const validators = new Map<string, ValidateFunction>();

/** Demands that the document fits the published schema of that name. */
export function assertConforms(name: string, document: unknown): void {
  const schema = `${import.meta.dirname}/../../schemas/${name}.schema.json`;
  const validate = validators.get(name) ?? ajv.compile(JSON.parse(readFileSync(schema, 'utf8')));
  validators.set(name, validate);
  assert.ok(validate(document), ajv.errorsText(validate.errors));
}
