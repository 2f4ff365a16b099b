// biome-ignore lint/suspicious/noExplicitAny: objects of many kinds are read here, recorded ones too.
type Json = any;

/** What a watch brought, of any kind that a timeline has. */
export interface Seen {
  /** Seconds since some moment of the recording's own. */
  readonly at: number;
  readonly type: 'ADDED' | 'MODIFIED' | 'DELETED';
  readonly object: Json;
}

/** One change of one object, or an Event, in words that do not depend on names. */
export interface Step {
  /** Seconds since the deed. */
  readonly at: number;
  /** Such as `new claim 1: Launched True Launched`; the second of equal ones ends with ` (2)`. */
  readonly what: string;
}

/** A state that is replaced this soon is left out, as a watch may or may not bring it. */
const briefSeconds = 1;

/**
 * What happened from the deed on to the pool and to its claims, nodes, pods and budgets: conditions, taints,
 * finalizers, labels, deletions, and Karpenter's Events about them, in order.
 */
export function stepsOf(seen: readonly Seen[], pool: string, deedAt: number): readonly Step[] {
  const inOrder = seen.toSorted((a, b) => a.at - b.at);
  const roles = rolesOf(inOrder, pool, deedAt);
  const changes = withoutBrief([...changesOf(inOrder, roles), ...eventsOf(inOrder, roles)]);
  const counts = new Map<string, number>();
  return changes
    .filter(({ at }) => at >= deedAt)
    .toSorted((a, b) => a.at - b.at)
    .map(({ at, about, what }) => {
      const text = `${about}: ${roles.inWords(what)}`;
      const count = (counts.get(text) ?? 0) + 1;
      counts.set(text, count);
      return { at: Math.round((at - deedAt) * 100) / 100, what: count === 1 ? text : `${text} (${count})` };
    });
}

interface Roles {
  /** The role of the object, such as `node of old claim 1`; undefined if it is no part of the timeline. */
  readonly of: (kind: string, name: string) => string | undefined;
  readonly inWords: (text: string) => string;
}

function rolesOf(seen: readonly Seen[], pool: string, deedAt: number): Roles {
  const named = new Map<string, string>([[`NodePool/${pool}`, 'pool']]);
  const claims = lives(seen, 'NodeClaim', deedAt).filter(({ last }) => last.metadata.labels?.[poolLabel] === pool);
  const number = (all: readonly Life[], word: string) =>
    all.forEach(({ last }, index) => void named.set(`${last.kind}/${last.metadata.name}`, `${word} ${index + 1}`));
  number(claims.filter(({ isOld }) => isOld).toSorted(earlier), 'old claim');
  number(
    claims.filter(({ isOld }) => !isOld),
    'new claim',
  );
  for (const { last } of claims)
    if (last.status?.nodeName !== undefined)
      named.set(`Node/${last.status.nodeName}`, `node of ${named.get(`NodeClaim/${last.metadata.name}`)}`);
  const pods = lives(seen, 'Pod', deedAt).filter(({ last }) => last.spec.nodeSelector?.role === poolRole(seen, pool));
  number(
    pods.filter(({ isOld }) => !isOld),
    'new pod',
  );
  for (const { last, isOld } of pods)
    if (isOld) named.set(`Pod/${last.metadata.name}`, `pod of ${named.get(`Node/${last.spec.nodeName}`) ?? 'no node'}`);
  for (const { last } of lives(seen, 'PodDisruptionBudget', deedAt))
    if (pods.some(({ last: pod }) => pod.metadata.labels.app === last.spec.selector.matchLabels.app))
      named.set(`PodDisruptionBudget/${last.metadata.name}`, 'budget');
  const longest = [...named].map(([key, role]) => [key.slice(key.indexOf('/') + 1), role] as const);
  longest.sort(([a], [b]) => b.length - a.length);
  return {
    of: (kind, name) => named.get(`${kind}/${name}`),
    inWords: (text) =>
      longest
        .filter(([name]) => name !== pool)
        .reduce((words, [name, role]) => words.replaceAll(name, `<${role}>`), text)
        .replaceAll(`"${pool}"`, '"<pool>"')
        .replaceAll(/\d{4}-\d\d-\d\d[T ][\d:]+(Z| \+0000 UTC)/g, '<time>'),
  };
}

const poolLabel = 'karpenter.sh/nodepool';

const poolRole = (seen: readonly Seen[], pool: string): string =>
  seen.find(({ object }) => object.kind === 'NodePool' && object.metadata.name === pool)?.object.spec.template.metadata
    .labels.role;

/** An object from its first state to its last. */
interface Life {
  readonly last: Json;
  readonly isOld: boolean;
  readonly deletedAt: number;
  readonly changedAt: number;
}

function lives(seen: readonly Seen[], kind: string, deedAt: number): readonly Life[] {
  const byUid = new Map<string, Life>();
  for (const { at, object } of seen) {
    if (object.kind !== kind) continue;
    const before = byUid.get(object.metadata.uid);
    const isDeleted = object.metadata.deletionTimestamp !== undefined;
    byUid.set(object.metadata.uid, {
      last: object,
      isOld: before?.isOld ?? at < deedAt,
      deletedAt: Math.min(before?.deletedAt ?? Number.POSITIVE_INFINITY, isDeleted ? at : Number.POSITIVE_INFINITY),
      changedAt: before !== undefined && before.changedAt >= deedAt ? before.changedAt : at,
    });
  }
  return [...byUid.values()];
}

/** Those that go come first, in the order of their deletion; the others in the order of their first change. */
const earlier = (a: Life, b: Life): number =>
  a.deletedAt === b.deletedAt ? a.changedAt - b.changedAt : a.deletedAt - b.deletedAt;

interface Change {
  readonly at: number;
  readonly about: string;
  readonly what: string;
  /** What the change sets, so that a value that is soon replaced can be left out. */
  readonly field?: string;
}

function changesOf(seen: readonly Seen[], roles: Roles): readonly Change[] {
  const before = new Map<string, Fields>();
  return seen.flatMap(({ at, type, object }) => {
    const about = roles.of(object.kind, object.metadata.name);
    if (about === undefined) return [];
    if (type === 'DELETED') return [{ at, about, what: 'gone' }];
    const was = before.get(object.metadata.uid);
    const now = fieldsOf(object, roles);
    before.set(object.metadata.uid, now);
    const created = was === undefined ? [{ at, about, what: 'created' }] : [];
    return [...created, ...changedFields(was ?? new Map(), now).map((change) => ({ at, about, ...change }))];
  });
}

type Fields = ReadonlyMap<string, string>;

function changedFields(was: Fields, now: Fields): readonly Pick<Change, 'field' | 'what'>[] {
  const set = [...now].filter(([field, value]) => was.get(field) !== value);
  const unset = [...was.keys()].filter((field) => !now.has(field));
  return [
    ...set.map(([field, value]) => ({ field, what: `${field} ${value}`.trim() })),
    ...unset.map((field) => ({ field, what: `without ${field}` })),
  ];
}

const conditionsOfKind: Readonly<Record<string, readonly string[]>> = {
  Node: ['Ready'],
  Pod: ['PodScheduled', 'Ready', 'DisruptionTarget'],
  PodDisruptionBudget: ['DisruptionAllowed'],
};
const labels = [
  'karpenter.sh/registered',
  'karpenter.sh/initialized',
  'node.kubernetes.io/exclude-from-external-load-balancers',
];

/** The fields that a timeline is about; messages of the scheduler, which name every node, are left out. */
function fieldsOf(object: Json, roles: Roles): Fields {
  const { kind, metadata, spec } = object;
  const taints = kind === 'Node' ? (spec?.taints ?? []) : [];
  return new Map([
    ...conditionFields(object),
    ...(metadata.finalizers ?? []).map((finalizer: string) => [`finalizer ${finalizer}`, '']),
    ...labels.flatMap((label) =>
      metadata.labels?.[label] === undefined ? [] : [[`label ${label}`, metadata.labels[label]]],
    ),
    ...taints.map(({ key, effect }: Json) => [`taint ${key}:${effect}`, '']),
    ...(metadata.deletionTimestamp === undefined ? [] : [['deletion', '']]),
    ...(kind === 'Pod' && spec.nodeName ? [['bound to', roles.of('Node', spec.nodeName) ?? 'another node']] : []),
  ]);
}

function conditionFields({ kind, status }: Json): readonly (readonly [string, string])[] {
  const only = conditionsOfKind[kind];
  const hasMessage = kind !== 'Pod' && kind !== 'Node';
  return (status?.conditions ?? [])
    .filter(({ type }: Json) => only?.includes(type) !== false)
    .map(({ type, status: state, reason, message }: Json) => [
      type,
      [state, reason, hasMessage && message].filter(Boolean).join(' '),
    ]);
}

/** Karpenter's Events; one that is repeated within 2 s counts once, as two Karpenters watched over some recordings. */
function eventsOf(seen: readonly Seen[], roles: Roles): readonly Change[] {
  const lastAt = new Map<string, number>();
  return seen.flatMap(({ at, type, object }) => {
    const { kind, involvedObject, reason, message, source, reportingComponent } = object;
    if (kind !== 'Event' || type === 'DELETED' || (source?.component ?? reportingComponent) !== 'karpenter') return [];
    const about = roles.of(involvedObject.kind, involvedObject.name);
    if (about === undefined) return [];
    const what = `Event ${object.type} ${reason}: ${message}`;
    const isRepeated = at - (lastAt.get(`${about} ${what}`) ?? Number.NEGATIVE_INFINITY) < 2;
    lastAt.set(`${about} ${what}`, at);
    return isRepeated ? [] : [{ at, about, what }];
  });
}

function withoutBrief(changes: readonly Change[]): readonly Change[] {
  const next = new Map<string, number>();
  return changes
    .toReversed()
    .filter(({ at, about, field }) => {
      if (field === undefined) return true;
      const key = `${about} ${field}`;
      const replacedAt = next.get(key) ?? Number.POSITIVE_INFINITY;
      next.set(key, at);
      return replacedAt - at >= briefSeconds;
    })
    .toReversed();
}
