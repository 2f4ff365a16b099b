import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { test } from 'node:test';
import fc from 'fast-check';
import { reportJunit } from '../../src/report/junit.ts';
import { anyResult } from '../support/any-result.ts';
import { assertRecorded } from '../support/recorded.ts';
import { downtime, scenarioResult, tenScenarios } from '../support/results.ts';
import { richResult } from '../support/rich-run.ts';
import { type Element, elements, parseXml } from '../support/xml.ts';

test('criteria and scenarios are test cases', () => {
  assertRecorded(new URL('fixtures/report.xml', import.meta.url), reportJunit(richResult));
});

const endOf = (one: Element | undefined): string | undefined =>
  one?.children.flatMap((child) => (typeof child === 'string' ? [] : [child.name]))[0];
const caseOf = (root: Element, name: string): Element | undefined =>
  elements(root, 'testcase').find(({ attributes }) => attributes.name === name);

test('what is not met is a failure, inconclusive an error, not tested skipped', () => {
  const root = parseXml(reportJunit(richResult));
  assert.equal(endOf(caseOf(root, '2 No downtime during node drain.')), 'failure');
  assert.equal(endOf(caseOf(root, '4 No mass eviction.')), 'skipped');
  assert.equal(endOf(caseOf(root, 'Manual node drain')), 'failure');
  assert.equal(endOf(caseOf(root, 'Load')), 'error');
  assert.equal(endOf(caseOf(root, 'DNS failure')), 'skipped');
  assert.equal(endOf(caseOf(root, 'every action is undone')), 'error');
  assert.equal(endOf(caseOf(root, 'Single replica')), 'system-out');
});

test('the file is well-formed for any result, and its counts are those of its cases', () => {
  fc.assert(
    fc.property(anyResult, (result) => {
      const root = parseXml(reportJunit(result));
      for (const suite of [root, ...elements(root, 'testsuite')]) {
        const { tests, failures, errors, skipped } = suite.attributes;
        const counted = (name: string) => String(elements(suite, name).length);
        assert.deepEqual(
          [tests, failures, errors, skipped],
          [counted('testcase'), counted('failure'), counted('error'), counted('skipped')],
        );
      }
    }),
    { numRuns: 100 },
  );
});

test('only a pass has no failures and errors', () => {
  fc.assert(
    fc.property(anyResult, (result) => {
      const root = parseXml(reportJunit(result));
      const red = elements(root, 'failure').length + elements(root, 'error').length;
      assert.ok(result.verdict === 'pass' || red > 0);
    }),
    { numRuns: 100 },
  );
});

test('a pass has no failures and errors, even with warnings', () => {
  const root = parseXml(
    reportJunit({
      ...richResult,
      verdict: 'pass',
      criteria: richResult.criteria.map((criterion) => ({ ...criterion, outcome: 'met' })),
      scenarios: tenScenarios(),
      undo: [],
    }),
  );
  assert.equal(elements(root, 'failure').length + elements(root, 'error').length, 0);
  assert.ok(richResult.findings.some(({ severity }) => severity === 'warning'));
});

test('a run that the pre-check stopped is not only skipped cases', () => {
  const root = parseXml(
    reportJunit({
      ...richResult,
      verdict: 'inconclusive',
      criteria: richResult.criteria.map((criterion) => ({ ...criterion, outcome: 'not-tested' })),
      scenarios: tenScenarios().map(({ name }) => scenarioResult(name, { verdict: 'not-tested', window: null })),
      undo: [],
    }),
  );
  assert.equal(endOf(caseOf(root, 'verdict')), 'error');
});

test('the time of a scenario is the length of its window', () => {
  const scenarios = tenScenarios({ load: scenarioResult('load', { title: 'Load', downtime: downtime() }) });
  const root = parseXml(reportJunit({ ...richResult, scenarios }));
  assert.equal(caseOf(root, 'Load')?.attributes.time, '300.000');
});

/**
 * The form that Jenkins, GitLab and GitHub's readers of JUnit files have in common: each element's attributes, and what
 * may be in it, in that order.
 */
const form: Readonly<Record<string, { readonly attributes: readonly string[]; readonly inside: RegExp }>> = {
  testsuites: { attributes: ['name', 'tests', 'failures', 'errors', 'skipped', 'time'], inside: /^(testsuite )*$/ },
  testsuite: {
    attributes: ['id', 'name', 'timestamp', 'hostname', 'tests', 'failures', 'errors', 'skipped', 'time'],
    inside: /^properties (testcase )+$/,
  },
  properties: { attributes: [], inside: /^(property )+$/ },
  property: { attributes: ['name', 'value'], inside: /^$/ },
  testcase: { attributes: ['classname', 'name', 'time'], inside: /^((skipped|failure|error) )?(system-out )?$/ },
  skipped: { attributes: ['message'], inside: /^$/ },
  failure: { attributes: ['message', 'type'], inside: /^$/ },
  error: { attributes: ['message', 'type'], inside: /^$/ },
  'system-out': { attributes: [], inside: /^$/ },
};

function assertForm({ name, attributes, children }: Element): void {
  const expected = form[name];
  assert.ok(expected, name);
  assert.deepEqual(Object.keys(attributes), expected.attributes, name);
  const inside = children.filter((child) => typeof child !== 'string');
  assert.match(inside.map((child) => `${child.name} `).join(''), expected.inside, name);
  // The drawn results have windows that end before they begin, too.
  for (const number of ['tests', 'failures', 'errors', 'skipped', 'time'].filter((one) => one in attributes))
    assert.match(attributes[number] ?? '', /^-?\d+(\.\d+)?$/, `${name} ${number}`);
  if (name === 'testsuite') assert.match(attributes.timestamp ?? '', /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d$/);
  for (const child of inside) assertForm(child);
}

test('the file has the form that CI systems read, whatever the result', () => {
  fc.assert(
    fc.property(anyResult, (result) => assertForm(parseXml(reportJunit(result)))),
    { numRuns: 100 },
  );
  assertForm(parseXml(reportJunit(richResult)));
});

const xmllint = spawnSync('xmllint', ['--version']).status === 0;

test('xmllint reads the file', { skip: xmllint ? false : 'there is no xmllint here' }, () => {
  for (const result of [richResult, ...fc.sample(anyResult, { numRuns: 10, seed: 1 })]) {
    const { status, stderr } = spawnSync('xmllint', ['--noout', '-'], { input: reportJunit(result), encoding: 'utf8' });
    assert.equal(status, 0, stderr);
  }
});
