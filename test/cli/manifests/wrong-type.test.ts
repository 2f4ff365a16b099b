import assert from 'node:assert/strict';
import { test } from 'node:test';
import { ownMistakes } from '../../support/read-own-manifests.ts';

const deployment = (spec: string, pod: string) => `apiVersion: apps/v1
kind: Deployment
metadata: {name: web}
spec:
  ${spec}
  template: {spec: {${pod}}}
`;
/** The sentences of fields of a wrong type; what else is wrong with the object is left out. */
const said = async (text: string) =>
  (await ownMistakes(text)).filter((one) => /: (it is|it must|")/.test(one)).map((one) => one.replace('own.yaml:', ''));

test('a value of a wrong type is reported as people write YAML, with what to write', async () => {
  assert.deepEqual(
    await said(deployment('replicas: "3"', 'hostNetwork: "true", terminationGracePeriodSeconds: soon')),
    [
      '5: spec.replicas: "3" is text: write 3.',
      '6: spec.template.spec.hostNetwork: "true" is text: write true.',
      '6: spec.template.spec.terminationGracePeriodSeconds: it must be a number, and it is text.',
    ],
  );
  assert.deepEqual(await said(deployment('paused: 1', 'containers: {name: web}, nodeSelector: [a], dnsConfig: 4')), [
    '5: spec.paused: it must be true or false, and it is a number.',
    '6: spec.template.spec.containers: it must be a list, and it is an object.',
    '6: spec.template.spec.nodeSelector: it must be an object, and it is a list.',
    '6: spec.template.spec.dnsConfig: it must be an object, and it is a number.',
  ]);
});

test('of a map or a list the entry is named that is wrong, and no value that may be a secret is repeated', async () => {
  assert.deepEqual(await said(deployment('replicas: 1', 'nodeSelector: {a: b, zone: 7}, volumes: [{name: a}, x]')), [
    '6: spec.template.spec.nodeSelector.zone: it is a number, and must be text: put it in quotes.',
    '6: spec.template.spec.volumes[1]: it must be an object, and it is text.',
  ]);
  const secret = 'apiVersion: v1\nkind: Secret\nmetadata: {name: s}\nstringData:\n  user: me\n  password: 4711\n';
  assert.deepEqual(await said(secret), ['6: stringData.password: it is a number, and must be text: put it in quotes.']);
});
