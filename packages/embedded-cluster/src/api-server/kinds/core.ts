import { group, kind, type Served } from './served-kind.ts';

/** The kinds of the core group, as kube-apiserver 1.34.4 lists them. */
export const coreKinds: readonly Served[] = [
  ...group('v1', [
    kind('Binding', 'bindings', { verbs: ['create'] }),
    kind('ComponentStatus', 'componentstatuses', { namespaced: false, shortNames: ['cs'], verbs: ['get', 'list'] }),
    kind('ConfigMap', 'configmaps', { shortNames: ['cm'], storageVersionHash: 'qFsyl6wFWjQ=' }),
    kind('Endpoints', 'endpoints', { shortNames: ['ep'], storageVersionHash: 'fWeeMqaN/OA=' }),
    kind('Event', 'events', { shortNames: ['ev'], storageVersionHash: 'r2yiGXH7wu8=' }),
    kind('LimitRange', 'limitranges', { shortNames: ['limits'], storageVersionHash: 'EBKMFVe6cwo=' }),
    kind('Namespace', 'namespaces', {
      namespaced: false,
      shortNames: ['ns'],
      subresources: ['finalize', 'status'],
      verbs: ['create', 'delete', 'get', 'list', 'patch', 'update', 'watch'],
      storageVersionHash: 'Q3oi5N2YM8M=',
    }),
    kind('Node', 'nodes', {
      namespaced: false,
      shortNames: ['no'],
      subresources: ['proxy', 'status'],
      storageVersionHash: 'XwShjMxG9Fs=',
    }),
    kind('PersistentVolumeClaim', 'persistentvolumeclaims', {
      shortNames: ['pvc'],
      subresources: ['status'],
      storageVersionHash: 'QWTyNDq0dC4=',
    }),
    kind('PersistentVolume', 'persistentvolumes', {
      namespaced: false,
      shortNames: ['pv'],
      subresources: ['status'],
      storageVersionHash: 'HN/zwEC+JgM=',
    }),
    kind('Pod', 'pods', {
      shortNames: ['po'],
      categories: ['all'],
      subresources: [
        'attach',
        'binding',
        'ephemeralcontainers',
        'eviction',
        'exec',
        'log',
        'portforward',
        'proxy',
        'resize',
        'status',
      ],
      generation: true,
      storageVersionHash: 'xPOwRZ+Yhw8=',
    }),
    kind('PodTemplate', 'podtemplates', { generation: true, storageVersionHash: 'LIXB2x4IFpk=' }),
    kind('ReplicationController', 'replicationcontrollers', {
      shortNames: ['rc'],
      categories: ['all'],
      subresources: ['scale', 'status'],
      generation: true,
      storageVersionHash: 'Jond2If31h0=',
    }),
    kind('ResourceQuota', 'resourcequotas', {
      shortNames: ['quota'],
      subresources: ['status'],
      storageVersionHash: '8uhSgffRX6w=',
    }),
    kind('Secret', 'secrets', { storageVersionHash: 'S6u1pOWzb84=' }),
    kind('ServiceAccount', 'serviceaccounts', {
      shortNames: ['sa'],
      subresources: ['token'],
      storageVersionHash: 'pbx9ZvyFpBE=',
    }),
    kind('Service', 'services', {
      shortNames: ['svc'],
      categories: ['all'],
      subresources: ['proxy', 'status'],
      storageVersionHash: '0/CO1lhkEBI=',
    }),
  ]),
];
