import assert from 'node:assert/strict';
import { test } from 'node:test';
import { labelSelector } from '../../src/api-server/selectors/label-selector.ts';
import type { StoredObject } from '../../src/objects/objects.ts';
import { fieldRequirements, fieldsMatch, objectSelector } from '../../src/objects/selectors.ts';

const selects = (selector: string, labels: Record<string, string>) => {
  const test = labelSelector(selector);
  return typeof test === 'string' ? test : test(labels);
};

test('label selectors select by equality, by set, by existence and by order', () => {
  const labels = { app: 'nginx-test', role: 'web', n: '3', 'app.kubernetes.io/name': 'nginx' };
  const chosen = [
    'app=nginx-test',
    'app==nginx-test,role=web',
    'app!=other',
    'missing!=x',
    'app in (a, nginx-test)',
    'app notin (a,b)',
    'missing notin (a)',
    'role',
    'n>2,n < 4',
    '!missing',
    'app.kubernetes.io/name=nginx',
    '',
    'app in (nginx-test),role',
  ];
  const notChosen = [
    'app=other',
    'app=nginx-test,role=db',
    'app!=nginx-test',
    'missing=x',
    'app in (a,b)',
    'missing in (a)',
    'app notin (nginx-test)',
    '!role',
    'n>3',
    'role>1',
    'missing<1',
    'missing',
  ];
  for (const selector of chosen) assert.equal(selects(selector, labels), true, selector);
  for (const selector of notChosen) assert.equal(selects(selector, labels), false, selector);
});

test('an invalid label selector gives an error message', () => {
  assert.match(String(selects('app=(', {})), /unable to parse/);
  assert.equal(selects('n in', {}), "unable to parse requirement: found '' expected: '('");
  assert.equal(selects('==', {}), "found '==', expected: !, identifier, or 'end of string'");
  assert.match(String(selects('a b', {})), /unable to parse/);
});

test('a missing LabelSelector selects nothing, an empty one everything, and expressions must all hold', () => {
  const expression = (operator: string, ...values: string[]) =>
    objectSelector({ matchExpressions: [{ key: 'app', operator, values }] });
  assert.equal(objectSelector(undefined)({ app: 'a' }), false);
  assert.equal(objectSelector({})({ app: 'a' }), true);
  assert.equal(objectSelector({ matchLabels: { app: 'b' } })({ app: 'a' }), false);
  assert.deepEqual(
    [expression('In', 'a'), expression('NotIn', 'a'), expression('Exists'), expression('DoesNotExist')].map(
      (chosen) => [chosen({ app: 'a' }), chosen({ app: 'b' }), chosen({})],
    ),
    [
      [true, false, false],
      [false, true, true],
      [true, true, false],
      [false, false, true],
    ],
  );
});

test('field selectors support the fields in the documentation of Kubernetes', () => {
  const pod = {
    kind: 'Pod',
    apiVersion: 'v1',
    metadata: { name: 'a', namespace: 'b' },
    spec: { nodeName: 'n' },
  } as StoredObject;
  const selected = (kind: string, text: string, object = pod, custom = false) => {
    const requirements = fieldRequirements(kind, text, custom);
    return typeof requirements === 'string' ? requirements : fieldsMatch(object, requirements);
  };
  assert.equal(selected('Pod', 'spec.nodeName=n,metadata.name=a,metadata.namespace=b'), true);
  assert.equal(selected('Pod', 'spec.nodeName!=n'), false);
  assert.equal(selected('Pod', 'status.phase!=Running,status.phase='), true);
  assert.equal(selected('Node', 'spec.unschedulable=false', { ...pod, kind: 'Node' }), true);
  assert.equal(selected('Pod', 'spec.hostNetwork=false'), true);
  assert.equal(selected('Secret.', 'type=Opaque', { ...pod, kind: 'Secret', type: 'Opaque' }), true);
  assert.equal(selected('Job', 'status.successful=2', { ...pod, kind: 'Job', status: { succeeded: 2 } }), true);
  assert.equal(selected('NodeClaim', 'status.providerID=x', pod, true), 'field label not supported: status.providerID');
  assert.equal(
    selected('Deployment', 'spec.replicas=2'),
    '"spec.replicas" is not a known field selector: only "metadata.name", "metadata.namespace"',
  );
  assert.equal(selected('Pod', 'spec.image=x'), 'field label not supported: spec.image');
  assert.equal(fieldRequirements('Thing', 'spec.a=x', true), 'field label not supported: spec.a');
  assert.match(String(selected('Pod', 'spec.nodeName')), /invalid selector/);
});
