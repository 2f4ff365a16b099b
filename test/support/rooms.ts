/**
 * For each room of a folder the rooms of that folder that it may import; the root of the folder is not a room. See
 * docs/architecture.md.
 */
export type Rooms = Readonly<Record<string, readonly string[]>>;

export interface Folder {
  readonly rooms: Rooms;
  /** Files that may lie at the folder's root: its entry points. */
  readonly filesAtRoot: number;
  /** Whether the root builds on the rooms (`above`), or the rooms on the root (`below`). */
  readonly root: 'above' | 'below';
}

/** Each room may import those of the steps below its own; rooms of one step do not know each other. */
function steps(...names: readonly (readonly string[])[]): Rooms {
  return Object.fromEntries(
    names.flatMap((step, index) => step.map((room) => [room, names.slice(0, index).flat()] as const)),
  );
}

export const folders: Readonly<Record<string, Folder>> = {
  validation: {
    root: 'below',
    filesAtRoot: 7,
    rooms: {
      'loop-log': [],
      'downtime-log': ['loop-log'],
      record: [],
      lease: [],
      manifests: [],
      'load-job': ['record'],
      permissions: ['manifests'],
      downtime: ['downtime-log', 'loop-log'],
      monitor: ['downtime', 'downtime-log', 'loop-log'],
      observe: ['record'],
      blocked: ['observe'],
      measure: ['downtime', 'record'],
      actions: ['load-job', 'manifests', 'observe', 'record'],
      predict: ['manifests', 'observe', 'record'],
      audit: ['manifests', 'observe', 'predict'],
      scenarios: [
        'actions',
        'downtime',
        'load-job',
        'manifests',
        'measure',
        'observe',
        'permissions',
        'predict',
        'record',
      ],
      checks: ['actions', 'blocked', 'lease', 'manifests', 'observe', 'permissions', 'predict', 'record', 'scenarios'],
      judge: ['actions', 'downtime', 'downtime-log', 'manifests', 'measure', 'predict', 'record', 'scenarios'],
      plan: ['actions', 'lease', 'manifests', 'observe', 'permissions', 'predict', 'record', 'scenarios'],
      procedure: [
        'actions',
        'audit',
        'blocked',
        'checks',
        'downtime',
        'downtime-log',
        'lease',
        'manifests',
        'measure',
        'monitor',
        'observe',
        'permissions',
        'predict',
        'record',
        'scenarios',
      ],
    },
  },
  deployment: {
    root: 'above',
    filesAtRoot: 10,
    rooms: {
      ...steps(
        ['git', 'settings'],
        ['record'],
        ['log'],
        ['checkout'],
        ['run'],
        ['tree', 'caches', 'opcache'],
        ['verify'],
        ['releases'],
        ['way-back'],
        ['repair'],
      ),
      backup: ['checkout', 'releases', 'run', 'settings'],
      doctor: ['caches', 'checkout', 'git', 'opcache', 'releases', 'run', 'settings', 'tree', 'verify'],
      rehearsal: ['record'],
    },
  },
  'embedded-cluster': {
    root: 'above',
    filesAtRoot: 6,
    rooms: steps(
      ['kubernetes', 'outside'],
      ['dns', 'objects', 'time'],
      ['api-server', 'machines', 'scheduling'],
      ['cloud-api', 'kubelet', 'setup'],
      ['autoscaler', 'data-plane', 'reconciling'],
      ['front-doors', 'horizontal-autoscaler', 'programs', 'storage', 'workloads'],
      ['jobs'],
      ['controllers'],
      ['world'],
      ['listen'],
    ),
  },
  cli: {
    root: 'above',
    filesAtRoot: 6,
    rooms: steps(
      ['command'],
      ['settings', 'terminal'],
      ['manifests', 'runs'],
      ['front-doors'],
      ['cluster'],
      ['copy'],
      ['commands'],
    ),
  },
};

/** Rooms whose files all have the same shape, so that they may have more files than others. */
export const roomsOfOneShape: readonly string[] = [
  'embedded-cluster/controllers',
  'cli/commands',
  'embedded-cluster/api-server',
];
export const filesInRoom = 25;
export const filesInRoomOfOneShape = 40;

/** Rooms and files that only decide: they use no clock, no random number, nothing of the process, and await nothing. */
export const pure: readonly RegExp[] = [
  /^src\/validation\/(measure|record|scenarios)\//,
  /^src\/validation\/(audit|blocked|judge|predict)\/(?!read-)/,
  /^src\/validation\/loop-log\//,
  /^src\/validation\/downtime-log\/(?!(log-writer|lasting-log|log-pieces|remove-old)\.ts$)/,
  /^src\/validation\/downtime\/(?!(analyze.*|measure-log|read-.*|rotated-logs|window-bytes)\.ts$)/,
  /^src\/validation\/manifests\/(?!preview\.ts$)/,
  /^src\/validation\/permissions\/(?!missing-permissions\.ts$)/,
  /^src\/deployment\/settings\//,
  /^src\/deployment\/git\/(?!references\.ts$)/,
  /^packages\/embedded-cluster\/src\/(autoscaler|cloud-api|dns|kubelet|machines|scheduling|setup)\//,
  /^src\/report\/(?!write-reports\.ts$)/,
  /^src\/dashboard\/(?!(comparison-page|dashboard|follow-run|log-page|page-files|server-events|stream)\.ts$|(deploys|overview)\/(deploy-stream|follow-deploys|overview|read-runs)\.ts$)/,
  /^src\/fleet\/(batches|document|exit-code|host-lines|read-servers|remote-script)\.ts$/,
  /^src\/settings\//,
];
