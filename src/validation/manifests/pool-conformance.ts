import { allowedDisruptions } from '../../cluster/allowed-disruptions.ts';
import type { NodePool } from '../../cluster/autoscaler.ts';
import { condition } from '../../cluster/pods.ts';
import { requirementText } from '../../cluster/requirements.ts';
import type { Finding } from '../finding.ts';
import type { Settings } from '../settings.ts';
import { manifests } from './manifests.ts';
import { hashAnnotation, hashVersion, hashVersionAnnotation } from './pool-hash.ts';
import { nameOf } from './preview.ts';

/** A field of 2.1: its value in the specification and in the live object. */
interface Row {
  readonly field: string;
  readonly expected: string;
  readonly observed: string;
}

/**
 * Compares the live NodePool with 2.1 and 2.2, field by field (where the settings or the manifests have requirements of
 * their own, with those, and without the other fields that 2.1 decides): a finding that counts the equal fields, one
 * for each field that differs, and one for each question that the specification leaves open
 * (docs/specification-notes.md).
 */
export function poolConformance(pool: NodePool, settings: Settings, nodes: number): readonly Finding[] {
  const isOwn = settings.nodePool.requirements !== undefined;
  const rows = rowsOf(pool, specified(settings), isOwn);
  const wrong = rows.filter(({ expected, observed }) => expected !== observed);
  const subject = nameOf(pool);
  const differing = wrong.map(({ field, expected, observed }): Finding => {
    const advice =
      'the live object is the configuration: change it, or know that the run validates another pool than 2.1';
    return { id: 'pool-field', severity: 'warning', subject: `${subject} ${field}`, expected, observed, advice };
  });
  const all: Finding = {
    id: 'pool-fields',
    severity: 'info',
    subject,
    expected: 'as in 2.1 and 2.2',
    observed: `${rows.length - wrong.length} of ${rows.length} fields as in 2.1 and 2.2`,
    advice: '',
  };
  return [all, ...differing, ...(isOwn ? [] : [expiry(pool)]), budgets(pool, nodes)];
}

function specified(settings: Settings): NodePool {
  return manifests({ ...settings, manifests: 'plain' }).find(({ kind }) => kind === 'NodePool') as NodePool;
}

function rowsOf(live: NodePool, wanted: NodePool, isOwn: boolean): readonly Row[] {
  const same = (field: string, read: (pool: NodePool) => unknown): Row => ({
    field,
    expected: textOf(read(wanted)),
    observed: textOf(read(live)),
  });
  const annotation = (key: string): string | undefined => live.metadata.annotations?.[key];
  const present = (field: string, value: unknown): Row => ({
    field,
    expected: 'there',
    observed: value === undefined ? 'absent' : 'there',
  });
  const specifiedAlone = [
    present('description annotation', annotation('kubernetes.io/description')),
    same('spec.template.metadata.labels.role', ({ spec }) => spec.template.metadata?.labels?.role),
    same('spec.template.spec.expireAfter', ({ spec }) => spec.template.spec.expireAfter),
    same('spec.disruption.budgets', ({ spec }) => spec.disruption?.budgets),
    same('spec.disruption.consolidateAfter', ({ spec }) => spec.disruption?.consolidateAfter),
    same('spec.disruption.consolidationPolicy', ({ spec }) => spec.disruption?.consolidationPolicy),
  ];
  return [
    same('metadata.name', ({ metadata }) => metadata.name),
    ...(isOwn ? [] : specifiedAlone),
    present('hash annotation', annotation(hashAnnotation)),
    {
      field: 'hash-version annotation',
      expected: hashVersion,
      observed: annotation(hashVersionAnnotation) ?? 'absent',
    },
    same('spec.template.spec.nodeClassRef', ({ spec }) => ordered(spec.template.spec.nodeClassRef)),
    ...requirementRows(live, wanted),
    ...['ValidationSucceeded', 'NodeClassReady', 'Ready'].map((type) => ({
      field: `status.conditions ${type}`,
      expected: 'True',
      observed: condition(live, type)?.status ?? 'absent',
    })),
    present('status.conditions NodeRegistrationHealthy', condition(live, 'NodeRegistrationHealthy')),
    present('status.nodeClassObservedGeneration', live.status?.nodeClassObservedGeneration),
    ...['cpu', 'ephemeral-storage', 'memory', 'nodes', 'pods'].map((name) =>
      present(`status.resources.${name}`, live.status?.resources?.[name]),
    ),
  ];
}

/** 2.2, row by row; a requirement that only the live object has is a row too. */
function requirementRows(live: NodePool, wanted: NodePool): readonly Row[] {
  const ours = wanted.spec.template.spec.requirements;
  const theirs = live.spec.template.spec.requirements;
  const keys = [...new Set([...ours, ...theirs].map(({ key }) => key))];
  const textFor = (all: typeof ours, key: string) =>
    all
      .filter((one) => one.key === key)
      .map(requirementText)
      .join('; ') || 'no such requirement';
  return keys.map((key) => ({
    field: `requirement ${key}`,
    expected: textFor(ours, key),
    observed: textFor(theirs, key),
  }));
}

/** The text of the specification says Never, the object that it applies says 720h. The object is the configuration. */
function expiry(pool: NodePool): Finding {
  const { expireAfter = '720h' } = pool.spec.template.spec;
  const never = expireAfter === 'Never';
  return {
    id: 'expiry-expectation',
    severity: never ? 'info' : 'warning',
    subject: nameOf(pool),
    expected: 'nodes never expire, as the verification text of the specification says',
    observed: `expireAfter ${expireAfter} in the applied object, which is the configuration`,
    advice: never
      ? ''
      : `decide which is meant: a node of this age is replaced by force, whatever the budgets allow; changing the value replaces all nodes`,
  };
}

/** Percentages are rounded up, so budget "1" often changes nothing. */
function budgets(pool: NodePool, nodes: number): Finding {
  const all = (pool.spec.disruption?.budgets ?? []).map(({ nodes: allowed }) => allowed);
  const [now, test] = [allowedDisruptions(all, nodes), allowedDisruptions(['1'], nodes)];
  const effect = now === test ? 'the same' : now > test ? 'fewer' : 'more';
  return {
    id: 'budget-numbers',
    severity: 'info',
    subject: nameOf(pool),
    expected: 'budget "1" during the test of the disruption budget',
    observed: `of ${nodes} nodes ${all.join(', ') || '10% (default)'} allows ${now} at once, "1" allows ${test}: ${effect}`,
    advice: '',
  };
}

const ordered = ({ group, kind, name }: NodePool['spec']['template']['spec']['nodeClassRef']): string =>
  `${kind}.${group} ${name}`;

const textOf = (value: unknown): string =>
  value === undefined ? 'absent' : typeof value === 'string' ? value : JSON.stringify(value);
