import assert from 'node:assert/strict';
import { test } from 'node:test';
import { ingressTries } from '../../../src/validation/audit/ingress-tries.ts';
import { ingress } from '../../support/own-manifests.ts';

const audited = (annotations: Readonly<Record<string, string>>) => {
  const named = Object.fromEntries(
    Object.entries(annotations).map(([name, value]) => [`nginx.ingress.kubernetes.io/${name}`, value]),
  );
  return { application: { waysIn: [ingress({}, named)] } } as unknown as Parameters<typeof ingressTries.look>[0];
};

test('tries that are switched off, and a long connect timeout, are told', () => {
  const verdict = ingressTries.look(audited({ 'proxy-next-upstream': 'off', 'proxy-connect-timeout': '60' }));
  assert.equal(verdict.outcome, 'missed');
  assert.equal(verdict.observed, 'proxy-next-upstream: off, proxy-connect-timeout: 60');
});

test('a shorter connect timeout is as expected, and without annotations nothing is said', () => {
  assert.equal(ingressTries.look(audited({ 'proxy-connect-timeout': '2' })).outcome, 'met');
  assert.equal(ingressTries.applies?.(audited({})), false);
});
