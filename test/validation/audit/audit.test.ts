import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Resource } from '../../../src/cluster/kinds.ts';
import { audit, rules } from '../../../src/validation/audit/audit.ts';
import type { Audited } from '../../../src/validation/audit/audited.ts';
import { manifests } from '../../../src/validation/manifests/manifests.ts';
import {
  apart,
  audited,
  budget,
  changed,
  container,
  controller,
  findingOf,
  hardened,
  ip,
  missed,
  plain,
  pod,
  podSpec,
  routed,
  selector,
  service,
  settings,
  slowChecks,
  web,
  withArgument,
  without,
} from '../../support/audited.ts';

/** Rules that the specification's own objects miss, and one that every ingress-nginx misses. */
const always = ['image-tag', 'ingress-annotations', 'ingress-retired'];

test('the hardened manifests fulfil every requirement of 4.2', () => {
  assert.deepEqual(missed(audited(hardened, apart)), always);
  assert.deepEqual(audit(audited(hardened, apart)).notAudited, []);
});

test('the plain manifests, 2.3 to the letter, miss readiness and graceful termination', () => {
  const findings = audit(audited(plain, apart)).findings.filter(({ severity }) => severity === 'error');
  assert.deepEqual(
    findings.map(({ id }) => id),
    ['readiness-probe', 'graceful-termination'],
  );
  assert.deepEqual(
    missed(audited(plain, apart)).filter((id) => !always.includes(id)),
    ['readiness-probe', 'graceful-termination', 'spread', 'placement', 'resource-requests'],
  );
});

const bad: readonly (readonly [string, Audited, RegExp])[] = [
  ['application-replicas', changed((one) => ({ ...one, spec: { ...one.spec, replicas: 1 } })), /replicas 1/],
  ['ingress-replicas', controller((one) => ({ ...one, spec: { ...one.spec, replicas: 1 } })), /replicas 1/],
  ['disruption-budget', without('PodDisruptionBudget'), /none/],
  ['disruption-budget', budget({ minAvailable: 2, selector }), /nginx-pdb wants 2 of 2/],
  ['disruption-budget', budget({ minAvailable: 0, selector }), /keeps no pod/],
  [
    'disruption-budget',
    audited(
      [
        ...hardened,
        {
          ...(hardened.find(({ kind }) => kind === 'PodDisruptionBudget') as Resource),
          metadata: { name: 'second' },
        } as Resource,
      ],
      apart,
    ),
    /nginx-pdb, second/,
  ],
  ['readiness-probe', container({ readinessProbe: undefined as never }), /none on nginx/],
  ['graceful-termination', container({ lifecycle: { preStop: { sleep: { seconds: 4 } } } }), /nginx 4 s/],
  [
    'graceful-termination',
    container({ lifecycle: { preStop: { exec: { command: ['sh', '-c', 'sleep 3'] } } } }),
    /nginx 3 s/,
  ],
  ['termination-grace', podSpec({ terminationGracePeriodSeconds: 15 }), /15 s/],
  ['load-balancer-health', service(slowChecks), /30 s × 3 = 90 s; deregistration 300 s/],
  ['spread', podSpec({ topologySpreadConstraints: [] }), /nothing keeps them apart/],
  ['replicas-apart', audited(hardened, { ...apart, pods: [pod('a', 'n1'), pod('b', 'n1')] }), /all of them on n1/],
  [
    'ingress-apart',
    audited(hardened, { ...apart, ingressPods: [pod('a', 'n1'), pod('b', 'n1')] }),
    /all of them on n1/,
  ],
  ['ingress-shutdown', controller(withArgument('--x')), /--shutdown-grace-period 0 s/],
  ['ingress-shutdown', service(ip), /--shutdown-grace-period \d+ s/],
  ['placement', podSpec({ nodeSelector: {} }), /any node/],
  ['resource-requests', container({ resources: { requests: { cpu: '1' } } }), /not on nginx/],
  ['rollout', changed((one) => ({ ...one, spec: { ...one.spec, strategy: { type: 'Recreate' } } })), /Recreate/],
  [
    'rollout',
    changed((one) => ({ ...one, spec: { ...one.spec, strategy: { rollingUpdate: { maxUnavailable: '100%' } } } })),
    /2 of 2 may be unavailable/,
  ],
  [
    'autoscaler-floor',
    audited(
      [
        ...hardened,
        {
          apiVersion: 'autoscaling/v2',
          kind: 'HorizontalPodAutoscaler',
          metadata: { name: 'hpa' },
          spec: { scaleTargetRef: { kind: 'Deployment', name: 'nginx-test' }, maxReplicas: 5 },
        },
      ],
      apart,
    ),
    /hpa may/,
  ],
  ['image-tag', container({ image: 'registry:5000/nginx' }), /registry:5000\/nginx/],
  ['image-tag', container({ image: 'nginx:latest' }), /nginx:latest/],
  ['ingress-annotations', audited(hardened, apart), /kubernetes\.io\/ingress\.class, external-dns\.alpha/],
  ['ingress-tries', withoutTries(), /proxy-next-upstream: off/],
  ['http-route', routed([web], {}), /no controller has taken it/],
  ['ingress-retired', audited(hardened, apart), /retired since March 2026/],
];

function withoutTries(): Audited {
  const { application, ...rest } = audited(hardened, apart);
  const off = { 'nginx.ingress.kubernetes.io/proxy-next-upstream': 'off' };
  const waysIn = application.waysIn.map(
    (way) => ({ ...way, metadata: { ...way.metadata, annotations: off } }) as typeof way,
  );
  return { ...rest, application: { ...application, waysIn } };
}

/** A budget that keeps one pod allows no disruption of a single replica. */
const consequences: Readonly<Record<string, string>> = { 'application-replicas': 'disruption-budget' };

test('each rule can be missed, with what was observed and what to do', () => {
  for (const [id, one, observed] of bad) {
    const finding = audit(one).findings.find((candidate) => candidate.id === id);
    assert.notEqual(finding?.severity, 'info', id);
    assert.match(finding?.observed ?? '', observed);
    assert.ok((finding?.advice ?? '').length > 0, id);
    assert.deepEqual(
      missed(one).filter((other) => other !== id && !always.includes(other) && consequences[id] !== other),
      [],
      `${id} is missed alone`,
    );
  }
  assert.deepEqual(
    rules.map(({ name }) => name).filter((name) => !bad.some(([id]) => id === name)),
    [],
    'every rule has a bad example',
  );
});

test('an application with everything that the hardened manifests miss fulfils every rule', () => {
  const good = container({ image: 'nginx:1.29@sha256:0000' });
  assert.ok(!missed(good).includes('image-tag'));
  const other = controller((one) => {
    const { template } = one.spec;
    const containers = template.spec.containers.map((each) => ({ ...each, image: 'traefik:v3' }));
    return {
      ...one,
      spec: {
        ...one.spec,
        template: {
          metadata: { labels: { 'app.kubernetes.io/component': 'controller' } },
          spec: { ...template.spec, containers },
        },
      },
    };
  });
  assert.match(findingOf(other, 'ingress-retired').observed, /^not looked at: whether traefik:v3/);
});

test('a requirement without an object to look at is reported and leaves the audit open', () => {
  const { findings, notAudited } = audit(audited(manifests(settings)));
  assert.deepEqual(notAudited, ['ingress-replicas', 'load-balancer-health']);
  const open = findings.filter(({ observed }) => observed === 'not looked at').map(({ id }) => id);
  assert.deepEqual(open, [
    'ingress-replicas',
    'load-balancer-health',
    'replicas-apart',
    'ingress-apart',
    'ingress-shutdown',
    'ingress-retired',
  ]);
});
