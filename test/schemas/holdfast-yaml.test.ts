import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { pathToFileURL } from 'node:url';
import { Ajv2020 } from 'ajv/dist/2020.js';
import { parse } from 'yaml';
import { assertRecorded } from '../support/recorded.ts';
import { holdfastYamlPath, holdfastYamlSchema } from './holdfast-yaml-schema.ts';

const published = JSON.parse(readFileSync(holdfastYamlPath, 'utf8'));
const validate = new Ajv2020({ allErrors: true, allowUnionTypes: true }).compile(published);
const accepts = (yaml: string): boolean => validate(parse(yaml));

test('the published schema of holdfast.yaml is what the program reads it with', () => {
  assertRecorded(pathToFileURL(holdfastYamlPath), `${JSON.stringify(holdfastYamlSchema(), null, 2)}\n`);
});

test('the documented settings are accepted', () => {
  const documented = `
validation:
  url: http://app.example.com/
  namespace: default
  application: nginx-test
  disruptionBudget: nginx-pdb
  manifests: hardened
  nodePool: { name: general-purpose-arm, role: web, nodeClass: { group: karpenter.k8s.aws, kind: EC2NodeClass, name: default } }
  ingressController: { namespace: ingress-nginx, service: ingress-nginx-controller, selector: app.kubernetes.io/component=controller }
  dnsAutomation: { namespace: external-dns, selector: app.kubernetes.io/name=external-dns }
  autoscaler: { namespace: kube-system, selector: app.kubernetes.io/name=karpenter }
  loadBalancerDomain: amazonaws.com
  dns: { zone: example.com, ttl: 300s }
  monitor: { interval: 1s, timeout: 10s, slow: 1s, expect: 200, body: Welcome to nginx! }
  load: { requests: 20000, concurrency: 500 }
  instanceKill: { maximumDowntime: 60s }
deployment:
  appDir: /srv/www/app
  branch: main
  logFile: /var/log/holdfast/app.log
  healthUrl: https://app.example.com/up
  preset: laravel
  slackWebhookUrl: \${SLACK_WEBHOOK_URL}
  mail: { to: ops@example.com, from: deploy@example.com, subject: Deployment of app, transport: sendmail }
`;
  assert.ok(accepts(documented), JSON.stringify(validate.errors, null, 2));
  assert.ok(accepts('{}'));
});

test('an unknown key, a duration without its unit and a wrong word are refused', () => {
  assert.ok(!accepts('validation: { nameSpace: default }'));
  assert.ok(!accepts('validations: {}'));
  assert.ok(!accepts('validation: { monitor: { interval: 1 } }'));
  assert.ok(!accepts('validation: { monitor: { interval: 1 second } }'));
  assert.ok(!accepts('validation: { monitor: { interval: 0s } }'));
  assert.ok(!accepts('validation: { manifests: soft }'));
  assert.ok(accepts(`validation: { monitor: { interval: 1m30s, timeout: "\${TIMEOUT}" } }`));
});

test('the options of a request are accepted by curl’s names too', () => {
  const options =
    "{ header: 'A: 1', resolve: 'a:80:127.0.0.1', location: true, max-redirs: 3, body-contains: Welcome }";
  assert.ok(accepts(`validation: { monitor: ${options} }\ndeployment: { health: ${options} }\n`));
  assert.ok(!accepts('validation: { monitor: { max-redirs: many } }\n'));
});
