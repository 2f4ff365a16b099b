import assert from 'node:assert/strict';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import type { Deployment, Service } from '../../../src/cluster/resources.ts';
import { assertMistakes, holdfast } from '../../support/command-line.ts';
import { container, deployment, ingress, objects, service, strong } from '../../support/own-manifests.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';

const documents = (all: readonly object[]): string => all.map((one) => JSON.stringify(one, null, 1)).join('\n---\n');

function folderWith(t: TestContext, ...all: readonly object[]): string {
  const folder = temporaryFolder(t);
  writeFileSync(join(folder, 'web.yaml'), documents(all));
  return folder;
}

const rehearsed = (folder: string, ...words: readonly string[]) => {
  const ran = holdfast(folder, ['rehearse', '-f', 'web.yaml', '--out', 'run', '--quiet', ...words]);
  assert.ok(ran.status === 0 || ran.status === 1, ran.stderr);
  const report = JSON.parse(readFileSync(join(folder, 'run', 'report.json'), 'utf8'));
  return { ...ran, folder, words: ran.stdout.replaceAll(/\s+/g, ' '), report };
};

test('one’s own manifests are rehearsed under their own names, and a weak application fails', (t) => {
  const { status, words } = rehearsed(folderWith(t, ...objects()), '--no-assumptions');
  assert.equal(status, 1);
  assert.match(words, /3 not met At most 60 seconds during an instance crash/);
  assert.match(words, /Deployment default\/shop-web: one PodDisruptionBudget that keeps a pod/);
});

test('the same application with budget, preStop and spread has no criterion unmet', (t) => {
  const { words } = rehearsed(
    folderWith(t, ...strong()),
    '--scenario',
    'node-drain',
    'instance-kill',
    '--no-assumptions',
  );
  assert.doesNotMatch(words, /not met/);
  assert.doesNotMatch(words, /annotations that are not deprecated/, 'the Ingress is audited under its own name');
});

test('a StatefulSet behind an Ingress is rehearsed; its only pod is made again when the old one is gone', (t) => {
  const [web, ...rest] = strong();
  const { replicas, selector, template } = (web as Deployment).spec;
  const stateful = { ...web, kind: 'StatefulSet', spec: { replicas, selector, template, serviceName: 'shop' } };
  const { status, words, report } = rehearsed(folderWith(t, stateful, ...rest), '--no-assumptions');
  assert.equal(status, 0, words);
  assert.match(words, /Pod kill 1\d\.\d s, /, 'its preStop sleep and its end are downtime of one replica');
  assert.doesNotMatch(words, /not met/);
  const [{ kind, namespace, name }] = report.applications;
  assert.equal(`${kind} ${namespace}/${name}`, 'StatefulSet default/shop-web');
});

test('behind a load balancer of its own the nodes that go must be no targets; no ingress controller is disturbed', (t) => {
  const balanced = (annotations: object) => {
    const one = service() as Service;
    const host = { 'external-dns.kubernetes.io/hostname': 'shop.example.com' };
    const spec = { ...one.spec, type: 'LoadBalancer' };
    return { ...one, metadata: { ...one.metadata, annotations: { ...host, ...annotations } }, spec };
  };
  const [web, , , guard] = strong();
  const run = (annotations: object) =>
    rehearsed(folderWith(t, web as object, balanced(annotations), guard as object), '--no-assumptions');
  const any = run({});
  assert.equal(any.status, 1, any.words);
  assert.match(any.words, /error Consolidation: no downtime .* the load balancer still sent to a target that was gone/);
  assert.match(any.words, /at: web\.yaml:\d+ metadata\.annotations/);
  assert.match(any.words, /4 met No mass eviction.* 6 met No surprise replacement/);
  const stay = run({
    'service.beta.kubernetes.io/aws-load-balancer-target-node-labels': 'eks.amazonaws.com/nodegroup=system',
  });
  assert.doesNotMatch(stay.words, /error Consolidation|not tested/);
  const rows: { name: string; verdict: string; notApplicable?: string }[] = stay.report.scenarios;
  const left = rows.filter(({ verdict }) => verdict === 'not-tested');
  assert.deepEqual(
    left.map(({ name }) => name),
    ['ingress-controller-failure'],
  );
  assert.match(left[0]?.notApplicable ?? '', /load balancer of the application’s own/);
  const written = (name: string) => readFileSync(join(stay.folder, 'run', name), 'utf8');
  assert.match(
    written('junit.xml'),
    /<skipped message="visitors come through a load balancer of the application’s own"\/>/,
  );
  assert.match(written('report.html'), /Nothing to disturb: visitors come through a load balancer/);
});

test('a load balancer whose targets are pods sends to them for minutes after their end has begun', (t) => {
  const [web, reached, , guard] = strong();
  const one = reached as Service;
  const annotations = {
    'external-dns.kubernetes.io/hostname': 'shop.example.com',
    'service.beta.kubernetes.io/aws-load-balancer-nlb-target-type': 'ip',
  };
  const balanced = { ...one, metadata: { ...one.metadata, annotations }, spec: { ...one.spec, type: 'LoadBalancer' } };
  const folder = folderWith(t, web as object, balanced, guard as object);
  const { words } = rehearsed(folder, '--scenario', 'scale-down', '--no-assumptions');
  assert.match(words, /error Scale down: no downtime .* 3 min where pods are its targets/);
  assert.match(words, /at: web\.yaml:\d+ spec\.template\.spec\.containers\[0\]\.lifecycle/);
});

test('before an application that nothing outside leads to an Ingress is assumed, where somebody chooses it', (t) => {
  const [web, reached, , guard] = strong();
  const folder = folderWith(t, web as object, reached as object, guard as object);
  assertMistakes(
    holdfast(folder, ['rehearse', '-f', 'web.yaml']),
    /there is no application to rehearse: .*\. Choose one with --application, before which an Ingress is assumed: Deployment\/shop-web\.$/,
  );
  const words = ['rehearse', '-f', 'web.yaml', '--application', 'deploy/shop-web', '--scenario', 'node-drain'];
  const ran = holdfast(folder, [...words, '--no-assumptions']);
  const text = (ran.stderr + ran.stdout).replaceAll(/\s+/g, ' ');
  assert.match(text, /Nothing outside leads to Deployment shop-web: an Ingress to its Service shop is assumed\./);
  assert.match(text, /2 met No downtime during node drain\./);
  assertMistakes(
    holdfast(folder, ['rehearse', '-f', 'web.yaml', '--application', 'Deployment/shop']),
    /--application Deployment\/shop is none of those that visitors reach, or that a Service selects: Deployment\/shop-web\.$/,
  );
});

test('where nothing but node ports leads inside, an Ingress to each such Service is assumed, each with a host of its own', (t) => {
  const [web, reached] = strong();
  const onNodePort = (name: string) => ({
    ...reached,
    metadata: { name },
    spec: { ...Object(reached).spec, type: 'NodePort' },
  });
  const run = (...objects: readonly object[]) => {
    const folder = folderWith(t, ...objects);
    const words = ['rehearse', '-f', 'web.yaml', '--scenario', 'node-drain', '--no-assumptions', '--out', 'run'];
    return { folder, ...holdfast(folder, words) };
  };
  const one = run(web as object, onNodePort('shop'));
  assert.match(
    one.stderr.replaceAll(/\s+/g, ' '),
    /What leads visitors to the node ports of Service shop is not in these manifests: an Ingress to it is assumed\..*pass Manual node drain/s,
  );
  const api: Service = Object(service('api', 'api'));
  const two = run(web as object, onNodePort('shop'), deployment('api', 'api'), {
    ...api,
    spec: { ...api.spec, type: 'NodePort' },
  });
  assert.match(two.stderr, /shop\.example\.com: it resolves/);
  const report = JSON.parse(readFileSync(join(two.folder, 'run', 'report.json'), 'utf8'));
  assert.deepEqual(
    report.scenarios[0].targets.map(({ application }: { application: string }) => application),
    ['Deployment/shop-web', 'Deployment/api'],
  );
});

const route = (rule: object) => ({
  apiVersion: 'gateway.networking.k8s.io/v1',
  kind: 'HTTPRoute',
  metadata: { name: 'front' },
  spec: { hostnames: ['shop.example.com'], rules: [rule] },
});

test('behind an HTTPRoute an application is rehearsed as behind an Ingress; its definition need not be there', (t) => {
  const [web, reached, , guard] = strong();
  const folder = folderWith(
    t,
    web as object,
    reached as object,
    guard as object,
    route({ backendRefs: [{ name: 'shop', port: 80 }] }),
  );
  const ran = holdfast(folder, ['rehearse', '-f', 'web.yaml', '--scenario', 'node-drain', '--no-assumptions']);
  const words = (ran.stderr + ran.stdout).replaceAll(/\s+/g, ' ');
  assert.match(words, /2 met No downtime during node drain\./);
  assert.match(
    words,
    /web\.yaml:\d+: HTTPRoute front is served by a Gateway that is not in these manifests, which is not rehearsed as it behaves: ingress-nginx stands in for it\./,
  );
});

test('what is wrong with an HTTPRoute is said with its line and field', (t) => {
  const folder = folderWith(t, route({ matches: [{ path: { value: 'cart' } }], backendRefs: [{ name: 'shop' }] }));
  assertMistakes(
    holdfast(folder, ['rehearse', '-f', 'web.yaml']),
    /^holdfast: web\.yaml:\d+: spec\.rules\[0\]\.matches\[0\]\.path\.value: it must be text that begins with \/\.$/,
    /^holdfast: web\.yaml:\d+: spec\.rules\[0\]\.backendRefs\[0\]\.port: it must be the port of the Service\.$/,
  );
});

test('where other pods of the manifests hold every node there is nothing to consolidate, and the run passes without it', (t) => {
  const yaml = readFileSync(join(import.meta.dirname, '../../support/applications/ten-services.yaml'), 'utf8');
  const folder = folderWith(t);
  writeFileSync(join(folder, 'web.yaml'), yaml.replaceAll(/periodSeconds: 2$/gm, 'periodSeconds: 1'));
  writeFileSync(join(folder, 'holdfast.yaml'), 'validation: { rehearse: { application: { start: 1s } } }');
  // The nodes that a scenario before has brought would be empty.
  const { status, report } = rehearsed(folder, '--no-assumptions', '--scenario', 'load', 'consolidation');
  assert.equal(status, 0);
  const row = report.scenarios.find(({ name }: { readonly name: string }) => name === 'consolidation');
  assert.equal(row.verdict, 'not-tested');
  assert.match(
    row.notApplicable,
    /^no node of the pool would be empty with one replica left; \S+ is held by default\//,
  );
});

test('of two workloads behind one Service the chosen one is rehearsed, also where nothing outside leads to them', (t) => {
  const [web, reached] = strong();
  const { metadata: _, ...rest } = web as Deployment;
  const folder = folderWith(t, web as object, { ...rest, metadata: { name: 'canary' } }, reached as object);
  const { report } = rehearsed(
    folder,
    '--scenario',
    'single-replica',
    '--no-assumptions',
    '--application',
    'Deployment/canary',
  );
  assert.equal(report.applications[0].name, 'canary');
});

test('without an Ingress the scenario of its controller is refused where it is named', (t) => {
  const folder = folderWith(t, ...strong());
  writeFileSync(join(folder, 'holdfast.yaml'), 'validation: { manifests: none, ingress: null }');
  assertMistakes(
    holdfast(folder, ['rehearse', '--scenario', 'ingress-controller-failure']),
    /^holdfast: scenario ingress-controller-failure needs an ingress controller, and validation\.ingress is null\.$/,
  );
  writeFileSync(join(folder, 'holdfast.yaml'), 'validation: { ingress: null, applicationKind: StatefulSet }');
  assertMistakes(
    holdfast(folder, ['rehearse']),
    /^holdfast: validation\.applicationKind is for an application that is there already: set manifests to none, or leave it out\.$/,
    /^holdfast: validation\.ingress null is for an application that is there already: set manifests to none, or leave it out\.$/,
  );
});

test('of a Service with several ports the Ingress’ own leads to the pods', (t) => {
  const [web, reached, way, guard] = strong() as readonly [Deployment, Service, object, object];
  const ports = [
    { name: 'metrics', port: 9090 },
    { name: 'web', port: 80, targetPort: 'http' },
  ];
  const several = { ...reached, spec: { ...reached.spec, ports } };
  const { words } = rehearsed(folderWith(t, web, several, way, guard), '--scenario', 'node-drain', '--no-assumptions');
  assert.match(words, /2 met No downtime during node drain\./);
});

test('what manifests do not say is an assumption of rehearse.application that changes the measured times', (t) => {
  const podReadySeconds = (start: string) => {
    const folder = folderWith(t, ...strong());
    writeFileSync(join(folder, 'holdfast.yaml'), `validation: { rehearse: { application: { start: ${start} } } }`);
    const { report } = rehearsed(folder, '--scenario', 'single-replica', '--no-assumptions');
    return JSON.stringify(report).match(/"podReadySeconds":([\d.]+)/)?.[1];
  };
  const [quick, slow] = [podReadySeconds('1s'), podReadySeconds('31s')];
  assert.ok(Number(slow) - Number(quick) >= 29, `${slow} s after 31 s, ${quick} s after 1 s`);
});

test('everything wrong of all objects is said at once, with file, line and field', (t) => {
  const wrong = { ...container, image: 7, redinessProbe: {} };
  const folder = folderWith(t, deployment('shop-web', 'shop', { containers: [wrong] }), { ...service(), kind: 3 });
  assertMistakes(
    holdfast(folder, ['rehearse', '-f', 'web.yaml']),
    /^holdfast: web\.yaml:\d+: kind: it must be text that is not empty\.$/,
    /^holdfast: web\.yaml:24: spec\.template\.spec\.containers\[0\]\.image: it is a number, and must be text: put it in quotes\.$/,
    /^holdfast: web\.yaml:\d+: spec\.template\.spec\.containers\[0\]\.redinessProbe: unknown field\.$/,
  );
});

function folderOfTwo(t: TestContext): string {
  const toApi = {
    http: { paths: [{ path: '/', pathType: 'Prefix', backend: { service: { name: 'api', port: { number: 80 } } } }] },
  };
  const api = [deployment('api', 'api'), service('api', 'api')];
  const second = { ...ingress({ rules: [toApi] }), metadata: { name: 'second' } };
  return folderWith(t, ...strong(), ...api, second);
}

test('each of several applications is rehearsed, and the run has the worst verdict and each one’s downtime', (t) => {
  const { status, report, words } = rehearsed(folderOfTwo(t), '--scenario', 'instance-kill', '--no-assumptions');
  assert.equal(status, 1, words);
  assert.match(words, /Deployment\/shop-web pass [\d.–]+ s/);
  assert.match(words, /FAIL \(partial\): 1 of 2 applications: Deployment\/api; /);
  assert.deepEqual(
    report.applications.map((one: { name: string; verdict: string }) => `${one.name} ${one.verdict}`),
    ['shop-web pass', 'api fail'],
  );
  const [scenario] = report.scenarios.filter((one: { name: string }) => one.name === 'instance-kill');
  const [web, api] = scenario.targets;
  assert.ok(api.downtime.seconds > web.downtime.seconds);
  assert.deepEqual([scenario.verdict, scenario.downtime], ['fail', api.downtime]);
});

test('holdfast.yaml names the one of several applications that is rehearsed', (t) => {
  const folder = folderOfTwo(t);
  writeFileSync(join(folder, 'holdfast.yaml'), 'validation: { application: shop-web }');
  const { report } = rehearsed(folder, '--scenario', 'single-replica', '--no-assumptions');
  assert.deepEqual(
    report.applications.map(({ name }: { name: string }) => name),
    ['shop-web'],
  );
});

test('several applications: --application chooses one; a name that none has is a mistake', (t) => {
  const folder = folderOfTwo(t);
  assertMistakes(
    holdfast(folder, ['rehearse', '-f', 'web.yaml', '--application', 'deployment/apii']),
    /^holdfast: --application deployment\/apii is none of those that visitors reach, or that a Service selects: Deployment\/shop-web, Deployment\/api\.$/,
  );
  const { report } = rehearsed(
    folder,
    '--application',
    'deploy/api',
    '--scenario',
    'single-replica',
    '--no-assumptions',
  );
  assert.match(JSON.stringify(report), /pod api-[0-9a-z]+-[0-9a-z]+ terminating/);
});

test('manifests without a way in say what was looked for', (t) => {
  assertMistakes(
    holdfast(folderWith(t, deployment()), ['rehearse', '-f', 'web.yaml']),
    /^holdfast: there is no application to rehearse: looked for an Ingress, an HTTPRoute or a Service of type LoadBalancer or NodePort that leads to the pods of a Deployment, a StatefulSet or a DaemonSet\.$/,
  );
  assertMistakes(
    holdfast(folderWith(t, deployment(), ingress()), ['rehearse', '-f', 'web.yaml']),
    /^holdfast: web\.yaml:\d+: there is no Service default\/shop, to which Ingress front sends\.$/,
  );
});

test('flags that do not go together with -f are told together', (t) => {
  const folder = folderWith(t, ...objects());
  assertMistakes(
    holdfast(folder, ['rehearse', '-f', 'web.yaml', '--manifests', 'plain', '--listen']),
    /^holdfast: --listen serves an empty cluster/,
    /^holdfast: --manifests chooses the specification’s objects/,
  );
  assertMistakes(
    holdfast(folder, ['rehearse', '--application', 'Deployment/a']),
    /^holdfast: --application chooses among/,
  );
});

test('the report names application, targets and places; report makes the same bytes of the folder', (t) => {
  const folder = folderWith(t, ...objects());
  const { report } = rehearsed(folder, '--scenario', 'instance-kill', '--no-assumptions');
  assert.deepEqual(report.applications, [
    {
      kind: 'Deployment',
      namespace: 'default',
      name: 'shop-web',
      host: 'shop.example.com',
      path: '/',
      verdict: 'fail',
    },
  ]);
  const kill = report.scenarios.find(({ name }: { readonly name: string }) => name === 'instance-kill');
  assert.deepEqual(kill.targets, [{ application: 'Deployment/shop-web', downtime: kill.downtime }]);
  const findings: readonly { readonly id: string; readonly at: unknown }[] = [...report.findings, ...kill.findings];
  assert.ok(findings.every((finding) => 'at' in finding));
  const lines = readFileSync(join(folder, 'web.yaml'), 'utf8').split('\n');
  const recovery = findings.find(({ id }) => id === 'short-recovery')?.at as { line: number; field: string };
  assert.equal(recovery.field, 'spec.template.spec.topologySpreadConstraints');
  assert.equal(lines[recovery.line - 1], '   "spec": {', 'the nearest field around one that is not written');
  const again = holdfast(folder, ['report', 'run', '--json', '--quiet']);
  assert.equal(again.stdout, readFileSync(join(folder, 'run', 'report.json'), 'utf8'));
});

test('an assumption turns the verdict where the search says it does', (t) => {
  const reportIf = (answers: Readonly<Record<string, unknown>>, ...words: readonly string[]) => {
    const folder = folderWith(t, ...strong());
    writeFileSync(
      join(folder, 'holdfast.yaml'),
      JSON.stringify({ validation: { rehearse: { application: answers } } }),
    );
    return rehearsed(folder, '--scenario', 'scale-down', ...words).report;
  };
  const verdictIf = (answers: Readonly<Record<string, unknown>>) => reportIf(answers, '--no-assumptions').verdict;
  const { verdict, assumptions } = reportIf({ sigterm: true, stop: '1s' });
  assert.equal(verdict, 'pass');
  assert.deepEqual(
    assumptions.map(({ setting }: { readonly setting: string }) => setting),
    ['start', 'stop', 'pull', 'request', 'sigterm', 'answers'].map((name) => `rehearse.application.${name}`),
  );
  const turnOf = (wanted: string) => assumptions.find(({ name }: { readonly name: string }) => name === wanted).turnsAt;
  assert.deepEqual(turnOf('sigterm'), { value: false, verdict: 'fail' }, 'it is killed at the end of its grace period');
  assert.equal(verdictIf({ sigterm: false, stop: '1s' }), 'fail');
  const { seconds, verdict: turned } = turnOf('stop');
  assert.equal(turned, 'fail');
  assert.equal(verdictIf({ sigterm: true, stop: `${seconds - 1}s` }), 'pass');
  assert.equal(verdictIf({ sigterm: true, stop: `${seconds}s` }), 'fail');
});

test('--against says what a change does, exits 1 where it is worse, and writes a summary and annotations', (t) => {
  const folder = folderWith(t, ...strong());
  writeFileSync(join(folder, 'new.yaml'), documents(strong('hasty')));
  const compared = (...words: readonly string[]) => {
    const flags = [
      '--against',
      'web.yaml',
      '--fail-on',
      'worse',
      '--scenario',
      'scale-down',
      '--no-assumptions',
      '--quiet',
      ...words,
    ];
    return holdfast(folder, ['rehearse', ...flags], { GITHUB_ACTIONS: 'true' });
  };
  const worse = compared('-f', 'new.yaml', '--summary', 'summary.md', '--seed', '2');
  assert.equal(worse.status, 1, worse.stderr);
  assert.match(worse.stdout, /Scale down +pass, 0\.0 s +fail, .* worse\n/);
  assert.match(worse.stdout, /This change makes it worse, beside web\.yaml, 3 seeds each/);
  assert.match(worse.stderr, /^::error file=new\.yaml,line=\d+,title=Scale down/m);
  assert.match(readFileSync(join(folder, 'summary.md'), 'utf8'), /## What this change does/);
  const same = compared('-f', 'web.yaml', '--json');
  assert.equal(same.status, 0, same.stderr);
  assert.equal(JSON.parse(same.stdout).against.change, 'same');
});

test('what is wrong with both sets of manifests is said at once', (t) => {
  const folder = folderWith(t, deployment());
  writeFileSync(join(folder, 'old.yaml'), 'kind: Service\n');
  assertMistakes(
    holdfast(folder, ['rehearse', '-f', 'web.yaml', '--against', 'old.yaml']),
    /^holdfast: there is no application to rehearse/,
    /^holdfast: old\.yaml:1: apiVersion: /,
  );
  assertMistakes(holdfast(folder, ['rehearse', '-f', 'web.yaml', '--fail-on', 'worse']), /add --against\.$/);
  assertMistakes(
    holdfast(folder, ['rehearse', '--against', 'old.yaml', '--summary', 's.md', '--fail-on', 'any']),
    /^holdfast: --against compares/,
    /^holdfast: --fail-on says/,
    /^holdfast: --summary is of/,
  );
});

test('an object that stands in the manifests twice is reported, with both places', (t) => {
  const folder = folderWith(t, ...strong(), service());
  const { stderr } = holdfast(folder, ['rehearse', '-f', 'web.yaml', '--no-assumptions', '--scenario', 'load']);
  assert.match(stderr, /^web\.yaml:\d+: Service shop is applied over that of web\.yaml:\d+\.$/m);
});
