import assert from 'node:assert/strict';
import { test } from 'node:test';
import { hasFormat, isKnownFormat } from '../../src/api-server/custom-resources/text-formats.ts';
import { labelSelector } from '../../src/api-server/selectors/label-selector.ts';
import { secretCauses } from '../../src/api-server/validation/config-data.ts';
import type { StoredObject } from '../../src/objects/objects.ts';

/** What every object of JavaScript has. A request may have each of them as its text. */
const names = Object.getOwnPropertyNames(Object.prototype);

test('a Secret of a type that is the name of a member of every object needs no content', () => {
  const secret = (type: string) => ({ kind: 'Secret', metadata: { name: 'a' }, type }) as unknown as StoredObject;
  for (const name of names) assert.deepEqual(secretCauses(secret(name), undefined), [], name);
});

test('such a format is unknown, and any text has it', () => {
  for (const name of names) assert.deepEqual([isKnownFormat(name), hasFormat('x', name)], [false, true], name);
});

test('such an operator of a label selector is refused', () => {
  for (const name of names) assert.match(String(labelSelector(`a ${name} (b)`)), /found/, name);
});
