import assert from 'node:assert/strict';
import { test } from 'node:test';
import { ownApplications } from '../../../src/validation/manifests/own-applications.ts';
import { deployment, ingress, service } from '../../support/own-manifests.ts';

const asked = (path: string, pathType: string, annotations: Readonly<Record<string, string>> = {}) => {
  const backend = { service: { name: 'shop', port: { number: 80 } } };
  const way = ingress(
    { rules: [{ host: 'shop.example.com', http: { paths: [{ path, pathType, backend }] } }] },
    annotations,
  );
  const [found] = ownApplications([deployment(), service(), way], 'default').applications;
  return { path: found?.path, assumed: found?.assumed };
};

test('a path of type Prefix or Exact is asked for as it is written, with a dot too', () => {
  for (const pathType of ['Prefix', 'Exact'])
    assert.deepEqual(asked('/api/v1.0', pathType), { path: '/api/v1.0', assumed: [] });
});

test('of a regular expression what stands before it is asked for', () => {
  const { path, assumed } = asked('/api(/|$)(.*)', 'ImplementationSpecific');
  assert.equal(path, '/api');
  assert.match(assumed?.[0] ?? '', /regular expression/);
  assert.equal(asked('/v1.0/.*', 'ImplementationSpecific').path, '/v1.0/');
});
