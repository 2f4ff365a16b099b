import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Gateway, HttpRoute } from '../../../src/cluster/gateway-api.ts';
import { ingressOf } from '../../../src/validation/manifests/http-route.ts';

const route = (spec: HttpRoute['spec']): HttpRoute =>
  ({ kind: 'HTTPRoute', metadata: { name: 'web', namespace: 'shop' }, spec }) as HttpRoute;
const gateway = (...listeners: readonly object[]): Gateway =>
  ({ kind: 'Gateway', metadata: { name: 'public' }, spec: { listeners } }) as unknown as Gateway;
const rules = [{ backendRefs: [{ name: 'web', port: 80 }] }];
const parentRefs = [{ name: 'public' }];
const https = { name: 'https', protocol: 'HTTPS', hostname: 'secure.example.com' };
const http = { name: 'http', protocol: 'HTTP' };

test('an HTTPRoute sends visitors where the Ingress in its place does', () => {
  const matches = [{ path: { type: 'PathPrefix', value: '/cart' } }];
  const { metadata, spec } = ingressOf(
    route({ hostnames: ['a.example.com', 'b.example.com'], rules: [{ ...rules[0], matches }] }),
    [],
  );
  assert.deepEqual([metadata.name, metadata.namespace], ['web', 'shop']);
  const backend = { service: { name: 'web', port: { number: 80 } } };
  const paths = [{ path: '/cart', pathType: 'Prefix', backend }];
  assert.deepEqual(spec.rules, [
    { host: 'a.example.com', http: { paths } },
    { host: 'b.example.com', http: { paths } },
  ]);
  assert.equal(spec.tls, undefined);
});

test('what the route leaves out is that of the listeners of its Gateway', () => {
  const at = (spec: object, ...all: readonly Gateway[]) => {
    const { rules: [first] = [], tls } = ingressOf(route({ rules, ...spec }), all).spec;
    return [first?.host, tls !== undefined];
  };
  assert.deepEqual(at({ parentRefs }, gateway(https)), ['secure.example.com', true]);
  assert.deepEqual(at({ parentRefs }, gateway(https, http)), ['secure.example.com', false]);
  assert.deepEqual(at({ parentRefs: [{ name: 'public', sectionName: 'http' }] }, gateway(https, http)), [
    undefined,
    false,
  ]);
  assert.deepEqual(at({ parentRefs: [{ name: 'other' }] }, gateway(https)), [undefined, false]);
  assert.deepEqual(at({ parentRefs, hostnames: ['x.example.com'] }, gateway(https)), ['x.example.com', true]);
});

test('a match of a regular expression, and a rule without a match, are those of every path', () => {
  const pathOf = (...matches: readonly object[]) =>
    ingressOf(route({ rules: [{ ...rules[0], ...(matches.length > 0 && { matches }) }] }), []).spec.rules?.[0]?.http
      ?.paths[0]?.path;
  assert.equal(pathOf(), '/');
  assert.equal(pathOf({ path: { type: 'RegularExpression', value: '/x.*' } }), '/');
  assert.equal(pathOf({}), '/');
});

test('a rule that redirects, or sends to something else than a Service, leads nowhere', () => {
  const pathsOf = (backendRefs?: NonNullable<NonNullable<HttpRoute['spec']>['rules']>[number]['backendRefs']) =>
    ingressOf(route({ rules: [backendRefs === undefined ? {} : { backendRefs }] }), []).spec.rules?.[0]?.http?.paths;
  assert.deepEqual(pathsOf(), []);
  assert.deepEqual(pathsOf([{ kind: 'Bucket', name: 'files' }]), []);
});
