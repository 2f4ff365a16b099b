import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import type { Journal } from '../../../src/journal/journal.ts';
import type { ValidationFact } from '../../../src/validation/record/events.ts';
import { factsByApplication, journalOf } from '../../../src/validation/record/of-applications.ts';
import { validationSchema } from '../../../src/validation/settings.ts';

const names = ['Deployment/nginx-test', 'Deployment/forum', 'StatefulSet/shop'];
const settings = validationSchema.parse({
  manifests: 'none',
  applications: [
    { application: 'forum', url: 'http://forum.example.com/' },
    { application: 'shop', applicationKind: 'StatefulSet', url: 'http://shop.example.com/', disruptionBudget: null },
  ],
});
const started = { at: '2026-01-01T00:00:00.000Z', type: 'run-started', settings } as unknown as ValidationFact;

/** Facts that name any of the applications, or nobody. */
const facts = fc.array(
  fc.record(
    {
      at: fc.constant('2026-01-01T00:00:01.000Z'),
      type: fc.constant('scenario-settled'),
      of: fc.subarray(names, { minLength: 1 }),
    },
    { requiredKeys: ['at', 'type'] },
  ),
);

test('each application has the facts that name it or nobody, in their order, with settings as if it were the only one', () => {
  fc.assert(
    fc.property(facts, (more) => {
      const all = [started, ...(more as unknown as readonly ValidationFact[])];
      const each = factsByApplication(all);
      assert.equal(each.length, names.length);
      for (const [index, own] of each.entries()) {
        const name = names[index] ?? '';
        const [first, ...rest] = own;
        assert.deepEqual(
          rest,
          all.slice(1).filter(({ of }) => of === undefined || of.includes(name)),
        );
        const its = first?.type === 'run-started' ? first.settings : undefined;
        assert.equal(`${its?.applicationKind}/${its?.application}`, name);
        assert.equal(its?.applications, undefined);
      }
      // Nothing that was done is nobody's.
      assert.ok(all.slice(1).every((fact) => each.some((own) => own.includes(fact))));
    }),
  );
});

test('the facts of a run of one application are its own, to the object', () => {
  const alone = [{ ...started, settings: validationSchema.parse({}) } as unknown as ValidationFact];
  assert.deepEqual(factsByApplication(alone), [alone]);
  assert.equal(factsByApplication(alone)[0], alone);
});

test('a journal for some of them names those in each fact, and without names it is the run’s', async () => {
  const kept: object[] = [];
  const journal = {
    record: (fact: object) => kept.push(fact),
    intend: async (fact: object) => kept.push(fact),
  } as unknown as Journal<ValidationFact>;
  assert.equal(journalOf(journal, []), journal);
  journalOf(journal, ['Deployment/forum']).record({ type: 'run-finished' });
  await journalOf(journal, names).intend({ type: 'run-finished' });
  assert.deepEqual(kept, [
    { type: 'run-finished', of: ['Deployment/forum'] },
    { type: 'run-finished', of: names },
  ]);
});
