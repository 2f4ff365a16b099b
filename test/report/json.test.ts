import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { Ajv2020 } from 'ajv/dist/2020.js';
import fc from 'fast-check';
import { reportJson } from '../../src/report/json.ts';
import { judgeRun } from '../../src/validation/judge/judge-run.ts';
import { anyResult } from '../support/any-result.ts';
import { assertRecorded } from '../support/recorded.ts';
import { downtime } from '../support/results.ts';
import { richFacts, richResult } from '../support/rich-run.ts';

const schema = JSON.parse(readFileSync(join(import.meta.dirname, '../../schemas/report.schema.json'), 'utf8'));
const validate = new Ajv2020({ allErrors: true, allowUnionTypes: true, strictRequired: false }).compile(schema);
const accepts = (document: unknown): boolean => validate(document);
const assertAccepted = (text: string) =>
  assert.ok(accepts(JSON.parse(text)), JSON.stringify(validate.errors?.slice(0, 5), null, 2));

test('the document has one member a line and conforms to the published schema', () => {
  const text = reportJson(richResult);
  assertAccepted(text);
  assertRecorded(new URL('fixtures/report.json', import.meta.url), text);
});

test('a judged journal conforms to the schema', () => {
  const result = judgeRun(richFacts, { outages: [], episodes: [], downtimeIn: () => downtime() });
  assert.ok(result);
  assertAccepted(reportJson(result));
  const killed = judgeRun(richFacts.slice(0, -1), { outages: [], episodes: [], downtimeIn: () => downtime() });
  assert.ok(killed);
  assertAccepted(reportJson(killed));
});

test('any result conforms to the schema', () => {
  fc.assert(
    fc.property(anyResult, (result) => assertAccepted(reportJson(result))),
    { numRuns: 100 },
  );
});

test('the schema refuses unknown members', () => {
  const { criteria, resultTable, scenarios } = richResult;
  const [first, ...others] = scenarios;
  assert.ok(accepts(richResult));
  for (const wrong of [
    { ...richResult, more: 1 },
    { ...richResult, schemaVersion: 2 },
    { ...richResult, verdict: 'passed' },
    { ...richResult, criteria: criteria.slice(1) },
    { ...richResult, criteria: criteria.toReversed() },
    { ...richResult, resultTable: [...resultTable, resultTable[0]] },
    { ...richResult, scenarios: others },
    { ...richResult, scenarios: [{ ...first, verdict: 'not-tested' }, ...others] },
    { ...richResult, scenarios: [{ ...first, downtime: { ...first?.downtime, upperSeconds: null } }, ...others] },
    { ...richResult, run: { ...richResult.run, startedAt: 'yesterday' } },
    { ...richResult, outages: [{ ...richResult.outages[0], kinds: ['slowly'] }] },
  ])
    assert.ok(!accepts(wrong), JSON.stringify(wrong).slice(0, 200));
});
