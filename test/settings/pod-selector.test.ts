import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { labelsMatch, labelsOf } from '../../src/settings/pod-selector.ts';
import { readSettings } from '../../src/settings/read-settings.ts';
import { validationSchema } from '../../src/validation/settings.ts';

const read = (selector: unknown) =>
  readSettings(validationSchema, { applicationSelector: selector, autoscaler: { selector } }, 'validation');

test('a label selector is accepted in kubectl’s notation and normalised', () => {
  for (const [written, meant] of [
    ['app=shop', 'app=shop'],
    ['app==shop', 'app=shop'],
    [' app = shop , tier == web ', 'app=shop,tier=web'],
    ['app.kubernetes.io/component==controller', 'app.kubernetes.io/component=controller'],
    ['node-role.example.com/edge=', 'node-role.example.com/edge='],
  ]) {
    const settings = read(written);
    assert.ok('settings' in settings, written);
    assert.equal(settings.settings.applicationSelector, meant);
    assert.equal(settings.settings.autoscaler.selector, meant);
  }
});

test('every other form of a selector is refused by its name, at any position', () => {
  for (const [written, because] of [
    ['app in (shop, cart)', 'has the form in (…)'],
    ['app notin (shop)', 'has the form notin (…)'],
    ['app!=shop', 'has the form !='],
    ['app=shop,!canary', 'has the form !key'],
    ['app=shop,canary', 'has the form a key without a value'],
    ['size>3', 'has the form < or >'],
    ['app=shop,app=cart', 'names a label twice'],
    ['', 'is not a label selector'],
    ['app=shop,', 'is not a label selector'],
    ['=shop', 'is not a label selector'],
    ['app=a shop', 'is not a label selector'],
    ['App/Shop=x', 'is not a label selector'],
    [`app=${'x'.repeat(64)}`, 'is not a label selector'],
  ]) {
    const settings = read(written);
    assert.deepEqual('mistakes' in settings ? settings.mistakes : [], [
      `validation.applicationSelector is '${written}', which ${because}: write key=value, several joined by commas.`,
      `validation.autoscaler.selector is '${written}', which ${because}: write key=value, several joined by commas.`,
    ]);
  }
});

const word = fc.stringMatching(/^[A-Za-z0-9]([-A-Za-z0-9_.]{0,9}[A-Za-z0-9])?$/);
const spaces = fc.stringMatching(/^ {0,2}$/);

test('a selector matches the pods that have all of its labels, whatever spaces it has', () => {
  fc.assert(
    fc.property(
      fc.uniqueArray(fc.record({ key: word, value: word, equals: fc.constantFrom('=', '=='), space: spaces }), {
        selector: ({ key }) => key,
        minLength: 1,
        maxLength: 4,
      }),
      fc.dictionary(word, word, { noNullPrototype: true }),
      (terms, more) => {
        const text = terms.map(({ key, value, equals, space }) => [key, equals, value].join(space)).join(' ,');
        const labels = Object.fromEntries(terms.map(({ key, value }) => [key, value]));
        assert.deepEqual(labelsOf(text), labels);
        assert.ok(labelsMatch({ ...more, ...labels }, text));
        for (const { key } of terms) assert.ok(!labelsMatch({ ...more, ...labels, [key]: '' }, text));
        assert.ok(!labelsMatch(undefined, text));
      },
    ),
  );
});
