import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Service } from '../../../src/cluster/resources.ts';
import type { Container, PodSpec } from '../../../src/cluster/specs.ts';
import type { Audited } from '../../../src/validation/audit/audited.ts';
import {
  apart,
  audited,
  controller,
  expectMet,
  findingOf,
  hardened,
  ip,
  missed,
  routed,
  service,
  settings,
  sleeping,
  web,
  withArgument,
} from '../../support/audited.ts';

const ingressPodSpec = (over: Partial<PodSpec>, labels = {}) =>
  controller((one) => {
    const { template } = one.spec;
    return {
      ...one,
      spec: {
        ...one.spec,
        template: {
          metadata: { labels: { 'app.kubernetes.io/component': 'controller', ...labels } },
          spec: { ...template.spec, ...over },
        },
      },
    };
  });

test('each deprecated annotation is named with its successor, and others are ignored', () => {
  const annotated = (...keys: readonly string[]): Audited => {
    const one = audited(hardened, apart);
    const annotations = Object.fromEntries(keys.map((key) => [key, 'x']));
    const ingress = {
      apiVersion: 'networking.k8s.io/v1',
      kind: 'Ingress',
      metadata: { name: 'i', annotations },
      spec: {},
    };
    return { ...one, application: { ...one.application, waysIn: [ingress] as never } };
  };
  const [ofClass, ofName] = ['kubernetes.io/ingress.class', 'external-dns.alpha.kubernetes.io/hostname'];
  expectMet('ingress-annotations', [
    [true, annotated('constructor')],
    [true, annotated('nginx.ingress.kubernetes.io/x')],
    [false, annotated(ofClass)],
    [false, annotated(ofName)],
  ]);
  assert.match(findingOf(annotated(ofClass), 'ingress-annotations').advice, /spec\.ingressClassName/);
  assert.match(
    findingOf(annotated(ofName), 'ingress-annotations').advice,
    /use external-dns\.kubernetes\.io\/hostname.*0\.22 and later do not read the old one/,
  );
  const none = audited(hardened, apart);
  const without = { ...none, application: { ...none.application, waysIn: [] } };
  assert.equal(findingOf(without, 'ingress-annotations').observed, 'not looked at');
});

test('a dead target must be found, by interval and threshold, within the downtime that an instance crash may cost', () => {
  const prefix = 'service.beta.kubernetes.io/aws-load-balancer-';
  const checks = (interval: number, threshold: number) =>
    service({
      [`${prefix}healthcheck-interval`]: String(interval),
      [`${prefix}healthcheck-unhealthy-threshold`]: String(threshold),
    });
  const within = (maximumDowntime: number, one: Audited): Audited => ({
    ...one,
    settings: { ...settings, instanceKill: { ...settings.instanceKill, maximumDowntime } },
  });
  expectMet('load-balancer-health', [
    [true, checks(20, 3)],
    [false, checks(61, 1)],
    [false, within(59, checks(20, 3))],
    [true, within(30, service({}))],
    [false, within(29, service({}))],
  ]);
  assert.match(
    findingOf(service({}), 'load-balancer-health').observed,
    /^10 s × 3 = 30 s; deregistration 300 s; by the annotations and the defaults of AWS/,
  );
  const delayed = service({ [`${prefix}target-group-attributes`]: 'a=b,deregistration_delay.timeout_seconds=7' });
  assert.match(findingOf(delayed, 'load-balancer-health').observed, /deregistration 7 s;/);
});

test('of a load balancer that is none of AWS no number is given', () => {
  const at = (ingress: readonly object[], annotations = {}) => {
    const one = service(annotations);
    const found = one.ingressController?.service as Service;
    const status = { loadBalancer: { ingress } };
    return { ...one, ingressController: { ...one.ingressController, service: { ...found, status } } } as Audited;
  };
  for (const [ingress, seen] of [
    [[{ ip: '203.0.113.7' }], /the load balancer 203\.0\.113\.7 is none of AWS/],
    [[{ hostname: 'lb.example.net' }], /the load balancer lb\.example\.net is none of AWS/],
    [[{ hostname: 'k8s-a.elb.eu-west-1.amazonaws.com' }], /^10 s × 3/],
    [[], /^10 s × 3/],
  ] as const)
    assert.match(findingOf(at(ingress), 'load-balancer-health').observed, seen);
});

const shutdownOf = (
  words: { readonly preStop?: number; readonly shutdown?: number; readonly grace?: number },
  one: Audited,
) => {
  const { preStop = 0, shutdown, grace } = words;
  const deployment = one.ingressController?.deployment;
  assert.ok(deployment);
  const { template } = deployment.spec;
  const args = [
    '--shutdown-grace-period-of-others=99',
    ...(shutdown === undefined ? [] : [`--shutdown-grace-period=${shutdown}`]),
  ];
  const [first] = template.spec.containers;
  const inner = {
    ...template.spec,
    containers: [{ ...(first as Container), args, ...sleeping(preStop) }],
    terminationGracePeriodSeconds: grace as number,
  };
  const edited = { ...deployment, spec: { ...deployment.spec, template: { ...template, spec: inner } } };
  return { ...one, ingressController: { ...one.ingressController, deployment: edited } } as Audited;
};

test('an ingress controller must serve until kube-proxy or the load balancer knows, with a grace period of 10 s more', () => {
  const nodes = service({});
  expectMet('ingress-shutdown', [
    [true, shutdownOf({ shutdown: 2, grace: 12 }, nodes)],
    [false, shutdownOf({ shutdown: 1, grace: 12 }, nodes)],
    [false, shutdownOf({ shutdown: 2, grace: 11 }, nodes)],
    [true, shutdownOf({ preStop: 2, grace: 12 }, nodes)],
    [true, shutdownOf({ preStop: 1, shutdown: 1, grace: 12 }, nodes)],
    [false, shutdownOf({ preStop: 1, shutdown: 1, grace: 11 }, nodes)],
    [false, shutdownOf({ grace: 60 }, nodes)],
    [true, shutdownOf({ shutdown: 20 }, nodes)],
    [false, shutdownOf({ shutdown: 21 }, nodes)],
    [true, shutdownOf({ shutdown: 30, grace: 40 }, service(ip))],
    [false, shutdownOf({ shutdown: 29, grace: 40 }, service(ip))],
  ]);
  const local = audited(
    hardened.map((one) =>
      one.kind === 'Service' && one.metadata.namespace === 'ingress-nginx'
        ? ({ ...one, spec: { ...one.spec, externalTrafficPolicy: 'Local' } } as Service)
        : one,
    ),
    apart,
  );
  expectMet('ingress-shutdown', [
    [true, shutdownOf({ shutdown: 20, grace: 60 }, local)],
    [false, shutdownOf({ shutdown: 19, grace: 60 }, local)],
  ]);
  assert.match(findingOf(shutdownOf({ grace: 300 }, local), 'ingress-shutdown').advice, /-period to 20 or more$/);
  assert.match(findingOf(local, 'load-balancer-health').observed, /^10 s × 2 = 20 s;/);
  assert.match(findingOf(shutdownOf({ shutdown: 1, grace: 9 }, nodes), 'ingress-shutdown').advice, /--shutdown-grace/);
  assert.match(findingOf(shutdownOf({ shutdown: 5, grace: 9 }, nodes), 'ingress-shutdown').advice, /Seconds to 15 or/);
});

test('of an ingress controller that is not known only the image is reported', () => {
  const other = ingressPodSpec({ containers: [{ name: 'haproxy', image: 'haproxy:3' }] });
  assert.equal(findingOf(other, 'ingress-shutdown').observed, 'not looked at');
  assert.equal(
    findingOf(other, 'ingress-retired').observed,
    'not looked at: whether haproxy:3 is maintained is not known here',
  );
  assert.equal(findingOf(other, 'ingress-retired').severity, 'warning');
  const beside = ingressPodSpec({
    containers: [
      { name: 'metrics', image: 'exporter:1' },
      { name: 'controller', image: 'registry.k8s.io/ingress-nginx/controller:v1' },
    ],
  });
  assert.ok(missed(beside).includes('ingress-retired'));
  const rebuilt = { containers: [{ name: 'controller', image: 'registry.example/ingress:1' }] };
  assert.ok(missed(ingressPodSpec(rebuilt, { 'app.kubernetes.io/name': 'ingress-nginx' })).includes('ingress-retired'));
  for (const absent of ['deployment', 'service'] as const) {
    const one = audited(hardened, apart);
    const { [absent]: _, ...rest } = one.ingressController ?? {};
    assert.equal(findingOf({ ...one, ingressController: rest }, 'ingress-shutdown').observed, 'not looked at');
  }
  assert.ok(missed(controller(withArgument('--shutdown-grace-period=1'))).includes('ingress-shutdown'));
});

test('Traefik must serve on for as long, by the entry points behind its Service, in each form of its arguments', () => {
  const traefik = (args: readonly string[], over: Partial<PodSpec> = {}) =>
    ingressPodSpec(
      {
        containers: [
          { name: 'traefik', image: 'traefik:v3.7', args, ports: [{ name: 'http', containerPort: 8000 }] } as Container,
        ],
        ...over,
      },
      // A label that was kept from the controller before.
      { 'app.kubernetes.io/name': 'ingress-nginx' },
    );
  const address = '--entryPoints.public.address=:8000/tcp';
  const internal = '--entryPoints.traefik.address=:8080/tcp';
  const grace = (value: string, point = 'public') =>
    `--entrypoints.${point}.transport.lifeCycle.requestAcceptGraceTimeout=${value}`;
  expectMet('ingress-shutdown', [
    [false, traefik([address, internal])],
    [false, traefik([address, internal, grace('1')])],
    [true, traefik([address, internal, grace('2')])],
    [true, traefik([address, internal, grace('1m0s')], { terminationGracePeriodSeconds: 70 })],
    [false, traefik([address, internal, grace('1m0s')], { terminationGracePeriodSeconds: 69 })],
    [false, traefik([address, internal, grace('1500ms')])],
    [false, traefik([address, internal, grace('5', 'traefik')])],
    [true, traefik([grace('5', 'web')])],
  ]);
  const byNumber = (targetPort: number): Audited => {
    const one = traefik([address, internal, grace('5')]);
    const found = one.ingressController?.service as Service;
    const spec = { ...found.spec, ports: [{ port: 80, targetPort }] };
    return { ...one, ingressController: { ...one.ingressController, service: { ...found, spec } } } as Audited;
  };
  expectMet('ingress-shutdown', [
    [true, byNumber(8000)],
    [false, byNumber(8080)],
  ]);
  const took = traefik([address, grace('5'), '--entrypoints.public.transport.lifecycle.graceTimeOut=30s'], {
    terminationGracePeriodSeconds: 34,
  });
  assert.match(findingOf(took, 'ingress-shutdown').advice, /^set terminationGracePeriodSeconds to 35 or more$/);
  assert.match(
    findingOf(traefik([address]), 'ingress-shutdown').advice,
    /^set --entryPoints\.public\.transport\.lifeCycle\.requestAcceptGraceTimeout to 2 or more$/,
  );
  assert.equal(
    findingOf(traefik([address]), 'ingress-retired').observed,
    'not looked at: whether traefik:v3.7 is maintained is not known here',
  );
});

test('the drain of a proxy of Envoy Gateway is long enough for kube-proxy, and with policy Local for no load balancer', () => {
  const envoy = (externalTrafficPolicy: 'Local' | 'Cluster', drain?: string): Audited => {
    const command = ['envoy-gateway', 'envoy', 'shutdown', ...(drain === undefined ? [] : [drain])];
    const lifecycle = { preStop: { exec: { command } } };
    const container = { name: 'envoy', image: 'docker.io/envoyproxy/envoy:distroless-v1.40.0', lifecycle };
    const one = ingressPodSpec({ containers: [container] }, {});
    const found = one.ingressController?.service as Service;
    const service = { ...found, spec: { ...found.spec, externalTrafficPolicy } };
    return { ...one, ingressController: { ...one.ingressController, service } } as Audited;
  };
  expectMet('ingress-shutdown', [
    [true, envoy('Cluster')],
    [false, envoy('Cluster', '--min-drain-duration=1s')],
    [false, envoy('Local')],
    [false, envoy('Local', '--min-drain-duration=60s')],
  ]);
  assert.match(
    findingOf(envoy('Local'), 'ingress-shutdown').advice,
    /externalTrafficPolicy of the EnvoyProxy to Cluster$/,
  );
});

test('an HTTPRoute is audited where it is the way in: whether its Gateway takes it, and who shares its requests', () => {
  expectMet('http-route', [
    [true, routed([web])],
    [false, routed([web], {})],
    [false, routed([web, { name: 'canary', port: 80 }])],
    [false, routed([{ name: 'canary', port: 80 }])],
  ]);
  assert.match(findingOf(routed([web]), 'ingress-annotations').subject, /^HTTPRoute default\/front$/);
  const { now: _, ...written } = routed([web]);
  assert.equal(findingOf(written, 'http-route').observed, 'not looked at');
  assert.ok(!missed(audited(hardened, apart)).includes('http-route'), 'behind an Ingress there is nothing to look at');
});
