import assert from 'node:assert/strict';
import { test } from 'node:test';
import { checks } from '../../../src/validation/checks/index.ts';
import { preCheck } from '../../../src/validation/procedure/pre-check.ts';
import { apiSite } from '../../support/api-site.ts';
import { checkedRun } from '../../support/checked.ts';

test('a check that may not read its objects is not met, and the other checks are made', () =>
  apiSite(async (at) => {
    at.it.fault = ({ url }) =>
      url.includes('/nodes?')
        ? { kind: 'answer', status: 403, text: '{"reason":"Forbidden","message":"no"}' }
        : undefined;
    const facts: string[] = [];
    const stopping = await preCheck(checkedRun(at), {
      record: (fact) => {
        if (fact.type === 'check-finished') facts.push(fact.finding.id);
      },
    });
    // No HTTPRoute leads to this application, and its pool has no owner's budgets: these checks are not made.
    assert.ok(!facts.includes('http-route'));
    assert.ok(!facts.includes('pool-budgets'));
    assert.equal(facts.length, checks.length - 2);
    const finding = stopping.find(({ id }) => id === 'nodes-at-rest');
    assert.match(
      `${finding?.subject} ${finding?.observed} ${finding?.advice}`,
      /^Node 403 Forbidden: no see holdfast rbac/,
    );
  }));
