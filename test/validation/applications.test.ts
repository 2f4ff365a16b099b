import assert from 'node:assert/strict';
import { test } from 'node:test';
import { applicationMistakes, applicationsOf, namesOf } from '../../src/validation/applications.ts';
import { recorded, type Settings, serviceName, validationSchema, wayInOf } from '../../src/validation/settings.ts';
import { secrets } from '../support/secrets.ts';

const settingsOf = (applications: readonly object[], more: object = {}): Settings =>
  validationSchema.parse({ applications, ...more });
const forum = { application: 'forum', url: 'http://forum.example.com/' };

test('a further application is as validation says, but for the names of its objects', () => {
  const first = {
    manifests: 'none',
    service: 'front',
    ingress: 'way',
    applicationSelector: 'a=b',
    namespace: 'web',
    monitor: { slow: '2s' },
  };
  const monitor = { bodyContains: 'Hello', expect: 204, timeout: '5s' };
  const [main, own, other] = applicationsOf(
    settingsOf([forum, { ...forum, namespace: 'office', service: 'entry', monitor }], first),
  );
  assert.deepEqual([main.service, own?.namespace, other?.namespace], ['front', 'web', 'office']);
  assert.ok(own && other);
  assert.deepEqual([serviceName(own), wayInOf(own)?.name, own.applicationSelector], ['forum', 'forum', undefined]);
  assert.deepEqual([own.disruptionBudget, serviceName(other)], ['forum-pdb', 'entry']);
  assert.deepEqual([own.monitor.slow, other.monitor.slow, other.monitor.bodyContains], [2, 2, 'Hello']);
  assert.deepEqual([main.monitor.expect, own.monitor.expect, other.monitor.expect], [200, 200, 204]);
  assert.deepEqual([own.monitor.timeout, other.monitor.timeout], [10, 5]);
  assert.deepEqual(namesOf([main, own, other]), [
    'Deployment/nginx-test',
    'Deployment/web/forum',
    'Deployment/office/forum',
  ]);
});

test('the only application is what validation says, and nothing else', () => {
  const alone = validationSchema.parse({});
  assert.deepEqual(applicationsOf(alone), [alone]);
  assert.deepEqual(applicationMistakes(alone), []);
});

test('what two applications of a run must not have in common is said at once', () => {
  const mistakes = (applications: readonly object[], more: object = {}) =>
    applicationMistakes(settingsOf(applications, more));
  assert.deepEqual(mistakes([forum, { ...forum, application: 'shop', url: 'http://shop.example.com/' }]), []);
  assert.deepEqual(mistakes([{ ...forum, url: 'http://app.example.com/' }]), [
    'validation.applications.0.url is that of nginx-test too: http://app.example.com/.',
  ]);
  assert.deepEqual(mistakes([{ ...forum, application: 'nginx-test', disruptionBudget: null }]), [
    'validation.applications.0 is the Deployment nginx-test once more.',
  ]);
  assert.deepEqual(mistakes([{ ...forum, applicationSelector: 'app=nginx-test', disruptionBudget: 'nginx-pdb' }]), [
    'validation.applications.0 selects the pods of nginx-test too: app=nginx-test.',
    'validation.applications.0.disruptionBudget is that of nginx-test too, and both would be applied: nginx-pdb.',
  ]);
  assert.deepEqual(mistakes([{ ...forum, disruptionBudget: 'nginx-pdb' }], { manifests: 'none' }), []);
  assert.deepEqual(mistakes([{ ...forum, url: 'HTTP://app.example.com:80' }]), [
    'validation.applications.0.url is that of nginx-test too: HTTP://app.example.com:80.',
  ]);
  assert.deepEqual(mistakes([{ ...forum, url: 'http://app.example.com/forum' }]), [], 'one host with two paths');
  assert.deepEqual(mistakes([{ ...forum, applicationSelector: 'tier=web,app=nginx-test' }]), [
    'validation.applications.0 is tier=web,app=nginx-test, and nginx-test selects its pods too: app=nginx-test.',
  ]);
  assert.deepEqual(mistakes([{ ...forum, applicationSelector: 'app=nginx-test', namespace: 'office' }]), []);
  assert.deepEqual(mistakes([{ ...forum, service: 'nginx-test', ingress: 'nginx-test' }]), [
    'validation.applications.0.service is that of nginx-test too, and both would be applied: nginx-test.',
    'validation.applications.0.ingress is that of nginx-test too, and both would be applied: nginx-test.',
  ]);
  assert.deepEqual(mistakes([{ ...forum, service: 'nginx-test' }], { manifests: 'none' }), []);
  const kinds = { ...forum, applicationKind: 'StatefulSet', httpRoute: 'forum' };
  assert.deepEqual(
    mistakes([kinds]).map((one) => one.replace(/ is .*/, '')),
    ['validation.applications.0.applicationKind', 'validation.applications.0.httpRoute'],
  );
  assert.deepEqual(mistakes([kinds], { manifests: 'none' }), []);
  const asked = { ...forum, monitor: { bodyContains: 'Hello' } };
  assert.match(mistakes([asked], { vantage: 'in-cluster' }).join(), /probe pods ask all addresses alike/);
  assert.deepEqual(mistakes([asked]), []);
});

test('what is written down of a further application has no secret', () => {
  const headers = { Authorization: secrets.databasePassword };
  const text = JSON.stringify(recorded(settingsOf([{ ...forum, monitor: { headers } }])));
  assert.ok(text.includes('Authorization'));
  assert.ok(!text.includes(secrets.databasePassword));
});
