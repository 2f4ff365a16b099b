import { type Copy, ofKind } from '../copy/copy.ts';
import { lacksOf } from '../copy/lacking.ts';

interface Difference {
  readonly count: (copy: Copy) => number;
  /** Of so many objects. */
  readonly sentence: (count: number) => string;
}

const many = (count: number, one: string, more = `${one}s`): string => (count === 1 ? `1 ${one}` : `${count} ${more}`);

const differences: readonly Difference[] = [
  {
    count: (copy) => {
      const isOfPool = new Set(ofKind(copy, 'NodeClaim').flatMap(({ status }) => status?.nodeName ?? []));
      return ofKind(copy, 'Node').filter(({ metadata }) => !isOfPool.has(metadata.name)).length;
    },
    sentence: (count) =>
      `${many(count, 'node')} of no NodeClaim: nothing replaces one here, as a node group or another autoscaler may.`,
  },
  {
    count: (copy) => ofKind(copy, 'HorizontalPodAutoscaler').length,
    sentence: (count) => `${many(count, 'HorizontalPodAutoscaler')}: the replicas stay as they were.`,
  },
  {
    count: (copy) => ofKind(copy, 'CronJob').length,
    sentence: (count) => `${many(count, 'CronJob')}: no new Job starts.`,
  },
  {
    count: (copy) => ofKind(copy, 'ResourceQuota').length,
    sentence: (count) => `${many(count, 'ResourceQuota')}: a pod that it would refuse is created.`,
  },
  {
    count: (copy) =>
      ofKind(copy, 'Pod').filter(({ spec }) => (spec.schedulerName ?? 'default-scheduler') !== 'default-scheduler')
        .length,
    sentence: (count) => `${many(count, 'pod')} of another scheduler: the default one places their successors.`,
  },
  {
    count: (copy) =>
      ofKind(copy, 'Pod').filter(({ status }) => {
        const ready = status?.conditions?.find(({ type }) => type === 'Ready');
        return status?.phase === 'Running' && ready?.status !== 'True';
      }).length,
    sentence: (count) =>
      `${many(count, 'pod')} that ran and ${count === 1 ? 'was not ready: it stays' : 'were not ready: they stay'} so.`,
  },
  {
    count: (copy) =>
      ofKind(copy, 'Pod').filter(({ spec }) =>
        spec.containers.some(({ lifecycle }) => {
          const hook = lifecycle?.preStop;
          return hook !== undefined && hook.sleep === undefined && hook.exec?.command === undefined;
        }),
      ).length,
    sentence: (count) => `${many(count, 'pod')} with a preStop hook that does not only sleep: it takes no time here.`,
  },
];

/** What the cluster of the copy has and the embedded cluster does not do; first what the copy lacks. */
export function notSimulated(copy: Copy): readonly string[] {
  const found = differences.flatMap(({ count, sentence }) => {
    const number = count(copy);
    return number === 0 ? [] : [sentence(number)];
  });
  const { namespaces } = copy;
  const alone = `The copy has the namespaces ${namespaces.join(', ')} alone: there is less room than it seems.`;
  return [...lacksOf(copy).map(({ because }) => because), ...(namespaces.length === 0 ? [] : [alone]), ...found];
}
