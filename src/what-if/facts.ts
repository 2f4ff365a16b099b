import { type Kinds, type NodeInfo, nodeInfoOf } from '@holdfast/embedded-cluster';
import { selects } from '../cluster/label-selector.ts';
import { type Copy, keyOf, ofKind } from '../copy/copy.ts';
import { idOf, isOfNode, workloadsOf } from './workloads-of.ts';

type Pod = Kinds['Pod'];
type Budget = Kinds['PodDisruptionBudget'];

/** What is asked of a copy again and again, found once. */
export interface Facts {
  readonly copy: Copy;
  /** The pods that run, by node; those of DaemonSets and static ones too. */
  readonly onNode: ReadonlyMap<string, readonly Pod[]>;
  readonly nodes: readonly NodeInfo[];
  /** The pods of each workload that run on some node, without those that belong to a node. */
  readonly ofWorkload: ReadonlyMap<string, readonly Pod[]>;
  readonly idOfPod: (pod: Pod) => string;
  readonly budgetsOf: (pod: Pod) => readonly Budget[];
  /** By the key of the budget. */
  readonly ofBudget: ReadonlyMap<string, readonly Pod[]>;
}

export function factsOf(copy: Copy): Facts {
  const workloadOf = workloadsOf(copy);
  const ids = new Map<string, string>();
  const idOfPod = (pod: Pod) => {
    const id = ids.get(keyOf(pod)) ?? idOf(workloadOf(pod));
    ids.set(keyOf(pod), id);
    return id;
  };
  const running = ofKind(copy, 'Pod').filter(({ spec, status }) => {
    const isOver = status?.phase === 'Succeeded' || status?.phase === 'Failed';
    return spec.nodeName !== undefined && !isOver;
  });
  const onNode = Map.groupBy(running, ({ spec }) => spec.nodeName ?? '');
  const budgetsOf = budgetsOfPods(ofKind(copy, 'PodDisruptionBudget'));
  const budgeted = running.flatMap((pod) => budgetsOf(pod).map((budget) => ({ key: keyOf(budget), pod })));
  return {
    copy,
    onNode,
    nodes: ofKind(copy, 'Node').map((node) => nodeInfoOf(node, onNode.get(node.metadata.name) ?? [])),
    ofWorkload: Map.groupBy(
      running.filter((pod) => !isOfNode(pod)),
      idOfPod,
    ),
    idOfPod,
    budgetsOf,
    ofBudget: new Map(
      [...Map.groupBy(budgeted, ({ key }) => key)].map(([key, all]) => [key, all.map(({ pod }) => pod)] as const),
    ),
  };
}

/** A budget is looked for among those that name one of the pod's labels first, and those that name none. */
function budgetsOfPods(budgets: readonly Budget[]): Facts['budgetsOf'] {
  const first = ({ metadata, spec }: Budget) => {
    const [label] = Object.entries(spec.selector?.matchLabels ?? {});
    return `${metadata.namespace} ${label?.join('=') ?? ''}`;
  };
  const byLabel = Map.groupBy(budgets, first);
  return ({ metadata: { namespace, labels = {} } }) => {
    const keys = ['', ...Object.entries(labels).map((label) => label.join('='))];
    const near = keys.flatMap((key) => byLabel.get(`${namespace} ${key}`) ?? []);
    return near.filter(({ spec }) => selects(spec.selector, labels));
  };
}

export const isReady = ({ metadata, status }: Pod): boolean =>
  metadata.deletionTimestamp === undefined &&
  status?.conditions?.some(({ type, status: is }) => type === 'Ready' && is === 'True') === true;
