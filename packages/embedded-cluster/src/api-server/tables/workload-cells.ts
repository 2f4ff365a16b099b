import type { StoredObject } from '../../objects/objects.ts';
import { ageAt } from './durations.ts';
import { countAt, labelsText, listAt, selectorText, textAt, valueAt } from './values.ts';

type Cells = (object: StoredObject, nowAt: number) => readonly unknown[];

const age = ({ metadata }: StoredObject, nowAt: number): string => ageAt(metadata.creationTimestamp, nowAt);
const template = 'spec.template.spec.containers';

function containers(object: unknown, path: string): readonly string[] {
  const list = listAt(object, path);
  return [list.map(({ name }) => name).join(','), list.map(({ image }) => image).join(',')];
}

const readyOf = (object: StoredObject): string =>
  `${countAt(object, 'status.readyReplicas')}/${countAt(object, 'spec.replicas')}`;
const counts = (object: StoredObject): readonly number[] => [
  countAt(object, 'spec.replicas'),
  countAt(object, 'status.replicas'),
  countAt(object, 'status.readyReplicas'),
];

/** The cells after the name of what runs pods, by collection (kubernetes, pkg/printers/internalversion/printers.go). */
export const workloadCells: Readonly<Record<string, Cells>> = {
  Deployment: (object, nowAt) => [
    readyOf(object),
    countAt(object, 'status.updatedReplicas'),
    countAt(object, 'status.availableReplicas'),
    age(object, nowAt),
    ...containers(object, template),
    selectorText(object.spec?.selector),
  ],
  DaemonSet: (object, nowAt) => [
    ...[
      'desiredNumberScheduled',
      'currentNumberScheduled',
      'numberReady',
      'updatedNumberScheduled',
      'numberAvailable',
    ].map((name) => countAt(object, `status.${name}`)),
    labelsText(valueAt(object, 'spec.template.spec.nodeSelector')),
    age(object, nowAt),
    ...containers(object, template),
    selectorText(object.spec?.selector),
  ],
  ReplicaSet: (object, nowAt) => [
    ...counts(object),
    age(object, nowAt),
    ...containers(object, template),
    selectorText(object.spec?.selector),
  ],
  'ReplicationController.': (object, nowAt) => [
    ...counts(object),
    age(object, nowAt),
    ...containers(object, template),
    labelsText(object.spec?.selector),
  ],
  StatefulSet: (object, nowAt) => [readyOf(object), age(object, nowAt), ...containers(object, template)],
  'PodTemplate.': (object) => [
    ...containers(object, 'template.spec.containers'),
    labelsText(valueAt(object, 'template.metadata.labels')),
  ],
  ControllerRevision: (object, nowAt) => [controllerOf(object), countAt(object, 'revision'), age(object, nowAt)],
  Job: (object, nowAt) => [
    jobStatus(object),
    completions(object),
    duration(object, nowAt),
    age(object, nowAt),
    ...containers(object, template),
    selectorText(object.spec?.selector),
  ],
  CronJob: (object, nowAt) => [
    textAt(object, 'spec.schedule', ''),
    textAt(object, 'spec.timeZone'),
    object.spec?.suspend === true ? 'True' : 'False',
    listAt(object, 'status.active').length,
    object.status?.lastScheduleTime === undefined ? '<none>' : ageAt(object.status.lastScheduleTime, nowAt),
    age(object, nowAt),
    ...containers(object, `spec.jobTemplate.${template}`),
    selectorText(valueAt(object, 'spec.jobTemplate.spec.selector')),
  ],
};

function controllerOf({ metadata }: StoredObject): string {
  const owner = metadata.ownerReferences?.find(({ controller }) => controller === true);
  if (owner === undefined) return '<none>';
  const [group] = owner.apiVersion.includes('/') ? owner.apiVersion.split('/') : [];
  return `${owner.kind.toLowerCase()}${group === undefined ? '' : `.${group}`}/${owner.name}`;
}

function jobStatus(object: StoredObject): string {
  const isTrue = (wanted: string) =>
    listAt(object, 'status.conditions').some(({ type, status }) => type === wanted && status === 'True');
  const ended = ['Complete', 'Failed'].find(isTrue);
  if (ended !== undefined) return ended;
  if (object.metadata.deletionTimestamp !== undefined) return 'Terminating';
  return ['Suspended', 'FailureTarget', 'SuccessCriteriaMet'].find(isTrue) ?? 'Running';
}

function completions(object: StoredObject): string {
  const done = countAt(object, 'status.succeeded');
  const wanted = object.spec?.completions;
  if (wanted !== undefined) return `${done}/${wanted}`;
  const parallelism = countAt(object, 'spec.parallelism');
  return parallelism > 1 ? `${done}/1 of ${parallelism}` : `${done}/1`;
}

function duration({ status }: StoredObject, nowAt: number): string {
  if (status?.startTime === undefined) return '';
  return ageAt(status.startTime, typeof status.completionTime === 'string' ? Date.parse(status.completionTime) : nowAt);
}
