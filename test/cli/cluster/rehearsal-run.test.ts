import assert from 'node:assert/strict';
import { test } from 'node:test';
import { stringify } from 'yaml';
import { rehearsedVerdict } from '../../../src/cli/cluster/rehearsal-run.ts';
import { systemClock } from '../../../src/host/clock.ts';
import { validationSchema } from '../../../src/validation/settings.ts';
import { deployment, ingress, service, strong } from '../../support/own-manifests.ts';
import { quietHost } from '../../support/quiet-host.ts';
import { readOwnManifests } from '../../support/read-own-manifests.ts';

test('the verdict of a rehearsal of one of several applications is its own', async () => {
  const backend = { service: { name: 'api', port: { number: 80 } } };
  const toApi = { http: { paths: [{ path: '/', pathType: 'Prefix', backend }] } };
  const second = { ...ingress({ rules: [toApi] }), metadata: { name: 'second' } };
  const objects = [...strong(), deployment('api', 'api'), service('api', 'api'), second];
  const own = await readOwnManifests(objects.map((one) => stringify(one)).join('---\n'));
  assert.ok('others' in own && own.others.length === 1);
  const settings = validationSchema.parse(own.assumedSettings);
  const order = { seed: 1, scenario: ['scale-down'], defect: [], settings, own, version: '0.0.0' };
  assert.equal(await rehearsedVerdict({ host: { ...quietHost(), clock: systemClock() } as never }, order), 'pass');
});
