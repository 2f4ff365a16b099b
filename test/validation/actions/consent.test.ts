import assert from 'node:assert/strict';
import { test } from 'node:test';
import { askedOnce, type IrreversibleAction } from '../../../src/validation/actions/consent.ts';

const termination = (typed: string): IrreversibleAction => ({
  action: 'terminate-instance',
  subject: `instance ${typed}`,
  typed,
  because: '',
});
const { signal } = new AbortController();

test('an allowed action is not asked about again; another action is, and so is a refused one', async () => {
  const asked: string[] = [];
  const allows = askedOnce(async ({ typed }) => {
    asked.push(typed);
    return typed !== 'i-3';
  });
  for (const typed of ['i-1', 'i-1', 'i-2', 'i-3', 'i-3'])
    assert.equal(await allows(termination(typed), signal), typed !== 'i-3');
  assert.deepEqual(asked, ['i-1', 'i-2', 'i-3', 'i-3']);
});
