import assert from 'node:assert/strict';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Finding } from '../../src/validation/finding.ts';
import type { RunResult } from '../../src/validation/judge/run-result.ts';
import { holdfast } from './command-line.ts';
import { shownBy } from './defect-expectations.ts';

/**
 * Applications written in people's usual ways: a chart's output with StatefulSets, a static site with a load balancer,
 * ten services with one entrance.
 */
export const applications = ['chart', 'static-site', 'ten-services'] as const;
type Application = (typeof applications)[number];

const manifestsOf = (application: Application): string =>
  readFileSync(join(import.meta.dirname, `applications/${application}.yaml`), 'utf8');

/** Where the application's workload begins in its file: the blocks of others with the same names are left alone. */
const begins: Readonly<Record<Application, RegExp>> = {
  chart: /^# Source: shop\/templates\/statefulset\.yaml$/,
  'static-site': /^kind: Deployment$/,
  'ten-services': /^kind: Deployment$/,
};

/** A defect written into manifests. */
interface Planted {
  readonly change: (lines: readonly string[], application: Application) => readonly string[];
  readonly settings?: string;
  /** The rule of the audit that finds it, and the field to change. */
  readonly rule: string;
  readonly field: RegExp;
  /** What the line of that field has, or of the nearest field around it. */
  readonly line: RegExp;
  /**
   * The criteria that are not met. Others of the defect need what manifests do not have: a slow ingress controller, a
   * packing scheduler.
   */
  readonly notMet: Readonly<Record<Application, readonly number[]>>;
  /** Where chance decides whether it shows, a seed with which it does. */
  readonly seed?: Readonly<Partial<Record<Application, number>>>;
  /** The pre-check stops the run, because it sees of a pool of one's own what is a surprise of the autoscaler. */
  readonly stops?: true;
}

/** The defects that no manifest of an application can express, and whose they are. */
export const foreign: Readonly<Record<string, string>> = {
  'single-ingress-replica': 'the ingress controller',
  'ingress-official-manifest': 'the ingress controller',
  'ingress-cluster-ip': 'the ingress controller',
  'budget-ignored': 'the autoscaler: the scenario sets the budget of the pool itself',
  'mass-eviction': 'the autoscaler',
  'wrong-architecture': 'the autoscaler: the nodes of a pool of one’s own are judged by its requirements',
  'pool-restarts-nodes': 'the cluster',
  'autoscaler-down': 'the cluster',
  'node-pool-not-ready': 'the node class, which is the cluster’s',
  'dns-automation-down': 'the cluster',
  'load-balancer-pending': 'the cloud',
  'long-dns-ttl': 'the zone',
  'slow-boot': 'the machines',
  'server-errors-under-load': 'the program in the image',
  'pods-crash-under-load': 'the program in the image',
  'prober-stalls': 'the machine of the prober',
  'api-lost-during-undo': 'the API server',
};

const nowhere = { chart: [], 'static-site': [], 'ten-services': [] };
const everywhere = (...criteria: readonly number[]) => ({
  chart: criteria,
  'static-site': criteria,
  'ten-services': criteria,
});

/** The manifests with a NodePool of their own, in which one text stands for another. */
const withPool = (from: string, to: string) => (lines: readonly string[]) => {
  assert.ok(pool.includes(from), from);
  return [...lines, '---', ...pool.replace(from, to).split('\n')];
};
const pool = `apiVersion: karpenter.sh/v1
kind: NodePool
metadata:
  name: web
spec:
  template:
    metadata:
      labels: { role: web }
    spec:
      nodeClassRef: { group: karpenter.k8s.aws, kind: EC2NodeClass, name: default }
      expireAfter: 720h
      requirements:
        - { key: kubernetes.io/arch, operator: In, values: [arm64] }
        - { key: kubernetes.io/os, operator: In, values: [linux] }
        - { key: karpenter.sh/capacity-type, operator: In, values: [on-demand] }
        - { key: karpenter.k8s.aws/instance-category, operator: In, values: [r] }
        - { key: karpenter.k8s.aws/instance-generation, operator: Gt, values: ['6'] }
  disruption:
    consolidationPolicy: WhenEmpty
    consolidateAfter: 1h
    budgets: [{ nodes: 10% }]`;

/** The defects of the embedded cluster that manifests can express, by the name that `--defect` knows. */
export const planted: Readonly<Record<string, Planted>> = {
  'no-readiness-probe': {
    change: (lines, application) => without(lines, 'readinessProbe', begins[application]),
    settings: 'validation: { rehearse: { application: { start: 60s } } }',
    rule: 'readiness-probe',
    field: /^spec\.template\.spec\.containers\[0\]\.readinessProbe$/,
    line: /- name: (shop|nginx|server)$/,
    notMet: { chart: [1], 'static-site': [1, 2, 3], 'ten-services': [1] },
  },
  'abrupt-termination': {
    change: (lines, application) => without(lines, 'lifecycle', begins[application]),
    rule: 'graceful-termination',
    field: /^spec\.template\.spec\.containers\[0\]\.lifecycle\.preStop$/,
    line: /- name: (shop|nginx|server)$/,
    notMet: everywhere(1),
  },
  'replicas-on-one-node': {
    change: (lines, application) => without(lines, 'topologySpreadConstraints', begins[application]),
    rule: 'spread',
    field: /^spec\.template\.spec\.topologySpreadConstraints$/,
    line: /^ {4}spec:$/,
    notMet: everywhere(3),
  },
  'no-disruption-budget': {
    change: (lines, application) =>
      without(lines, 'topologySpreadConstraints', begins[application]).map((line) =>
        line.replace('minAvailable: 1', 'minAvailable: 0'),
      ),
    rule: 'disruption-budget',
    field: /^spec$/,
    line: /^spec:$/,
    notMet: everywhere(3),
  },
  'surprise-expiry': {
    change: withPool('expireAfter: 720h', 'expireAfter: 6m'),
    rule: 'node-claims',
    field: /^spec\.template\.spec\.expireAfter$/,
    line: /expireAfter: 6m$/,
    notMet: nowhere,
    stops: true,
  },
  'eager-consolidation': {
    change: withPool('WhenEmpty\n    consolidateAfter: 1h', 'WhenEmptyOrUnderutilized\n    consolidateAfter: 0s'),
    rule: 'inconclusive',
    field: /^spec\.disruption\.consolidationPolicy$/,
    line: /consolidationPolicy: WhenEmptyOrUnderutilized$/,
    notMet: everywhere(6),
    // A node has to be empty or underused while a scenario runs.
    seed: { 'static-site': 4 },
  },
};

/**
 * The lines without the first block of that key after the marker: the key's line, and those that are indented further.
 */
function without(lines: readonly string[], key: string, marker: RegExp): readonly string[] {
  const from = lines.findIndex((line) => marker.test(line));
  const first = lines.findIndex((line, index) => index > from && line.trimStart().startsWith(`${key}:`));
  assert.ok(from >= 0 && first >= 0, `${key} is not there`);
  const indent = indentOf(lines[first] ?? '');
  const rest = lines.findIndex((line, index) => index > first && indentOf(line) <= indent);
  return [...lines.slice(0, first), ...lines.slice(rest)];
}

const indentOf = (line: string): number => line.length - line.trimStart().length;

/**
 * Rehearses the application with the defect in its manifests; throws unless exactly its criteria fail, with the finding
 * at the right line.
 */
export function assertPlanted(folder: string, name: string, application: Application): void {
  const defect = planted[name];
  assert.ok(defect, name);
  const lines = defect.change(manifestsOf(application).split('\n'), application);
  const settings = { text: defect.settings, seed: defect.seed?.[application] ?? 1 };
  const result = rehearsed(folder, lines.join('\n'), settings, defect.stops === true ? [3] : [0, 1]);
  const notMet = result.criteria.filter(({ outcome }) => outcome === 'not-met').map(({ number }) => number);
  const expected = defect.notMet[application];
  const byChance = new Set(shownBy[name]?.follows?.notMet ?? []);
  const certain = notMet.filter((number) => expected.includes(number) || !byChance.has(number));
  assert.deepEqual(certain, expected, `${name} in ${application}`);
  const { notMet: always = [], follows } = shownBy[name] ?? {};
  const known = new Set([...always, ...(follows?.notMet ?? []), ...(follows?.open ?? [])]);
  assert.deepEqual(
    notMet.filter((number) => !known.has(number)),
    [],
    `--defect ${name} has no other criterion`,
  );
  const found = findingsOf(result).filter(({ id, severity }) => id === defect.rule && severity !== 'info');
  const [at] = found.flatMap((one) => one.at ?? []);
  assert.match(at?.field ?? '', defect.field, `${name} in ${application}`);
  assert.match(lines[(at?.line ?? 0) - 1] ?? '', defect.line, `${name} in ${application}: line ${at?.line}`);
}

const findingsOf = ({ findings, scenarios }: RunResult): readonly Finding[] => [
  ...findings,
  ...scenarios.flatMap((one) => one.findings),
];

function rehearsed(
  folder: string,
  manifests: string,
  { text, seed }: { readonly text: string | undefined; readonly seed: number },
  allowed: readonly number[],
): RunResult {
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(folder, 'app.yaml'), manifests);
  if (text !== undefined) writeFileSync(join(folder, 'holdfast.yaml'), text);
  const words = ['--no-assumptions', '--quiet', '--seed', String(seed), '--out', 'run'];
  const ran = holdfast(folder, ['rehearse', '-f', 'app.yaml', ...words]);
  assert.ok(allowed.includes(ran.status ?? -1), `exit ${ran.status}: ${ran.stderr}${ran.stdout}`);
  return JSON.parse(readFileSync(join(folder, 'run', 'report.json'), 'utf8'));
}
