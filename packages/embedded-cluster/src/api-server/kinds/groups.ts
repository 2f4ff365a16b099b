import { group, kind, type Served } from './served-kind.ts';

/** The kinds of the other built-in groups, in the order in which kube-apiserver 1.34.4 lists them. */
export const groupKinds: readonly Served[] = [
  ...group('apiregistration.k8s.io/v1', [
    kind('APIService', 'apiservices', {
      namespaced: false,
      categories: ['api-extensions'],
      subresources: ['status'],
      storageVersionHash: 'InPBPD7+PqM=',
    }),
  ]),
  ...group('apps/v1', [
    kind('ControllerRevision', 'controllerrevisions', { storageVersionHash: '85nkx63pcBU=' }),
    kind('DaemonSet', 'daemonsets', {
      shortNames: ['ds'],
      categories: ['all'],
      subresources: ['status'],
      generation: true,
      storageVersionHash: 'dd7pWHUlMKQ=',
    }),
    kind('Deployment', 'deployments', {
      shortNames: ['deploy'],
      categories: ['all'],
      subresources: ['scale', 'status'],
      generation: true,
      storageVersionHash: '8aSe+NMegvE=',
    }),
    kind('ReplicaSet', 'replicasets', {
      shortNames: ['rs'],
      categories: ['all'],
      subresources: ['scale', 'status'],
      generation: true,
      storageVersionHash: 'P1RzHs8/mWQ=',
    }),
    kind('StatefulSet', 'statefulsets', {
      shortNames: ['sts'],
      categories: ['all'],
      subresources: ['scale', 'status'],
      generation: true,
      storageVersionHash: 'H+vl74LkKdo=',
    }),
  ]),
  ...group('events.k8s.io/v1', [kind('Event', 'events', { shortNames: ['ev'], storageVersionHash: 'r2yiGXH7wu8=' })]),
  ...group('authentication.k8s.io/v1', [
    kind('SelfSubjectReview', 'selfsubjectreviews', { namespaced: false, verbs: ['create'] }),
    kind('TokenReview', 'tokenreviews', { namespaced: false, verbs: ['create'] }),
  ]),
  ...group('authorization.k8s.io/v1', [
    kind('LocalSubjectAccessReview', 'localsubjectaccessreviews', { verbs: ['create'] }),
    kind('SelfSubjectAccessReview', 'selfsubjectaccessreviews', { namespaced: false, verbs: ['create'] }),
    kind('SelfSubjectRulesReview', 'selfsubjectrulesreviews', { namespaced: false, verbs: ['create'] }),
    kind('SubjectAccessReview', 'subjectaccessreviews', { namespaced: false, verbs: ['create'] }),
  ]),
  ...group('autoscaling/v2', [
    kind('HorizontalPodAutoscaler', 'horizontalpodautoscalers', {
      shortNames: ['hpa'],
      categories: ['all'],
      subresources: ['status'],
      storageVersionHash: 'qwQve8ut294=',
    }),
  ]),
  ...group('autoscaling/v1', [
    kind('HorizontalPodAutoscaler', 'horizontalpodautoscalers', {
      shortNames: ['hpa'],
      categories: ['all'],
      subresources: ['status'],
      storageVersionHash: 'qwQve8ut294=',
    }),
  ]),
  ...group('batch/v1', [
    kind('CronJob', 'cronjobs', {
      shortNames: ['cj'],
      categories: ['all'],
      subresources: ['status'],
      generation: true,
      storageVersionHash: 'sd5LIXh4Fjs=',
    }),
    kind('Job', 'jobs', {
      categories: ['all'],
      subresources: ['status'],
      generation: true,
      storageVersionHash: 'mudhfqk/qZY=',
    }),
  ]),
  ...group('certificates.k8s.io/v1', [
    kind('CertificateSigningRequest', 'certificatesigningrequests', {
      namespaced: false,
      shortNames: ['csr'],
      subresources: ['approval', 'status'],
      storageVersionHash: '95fRKMXA+00=',
    }),
  ]),
  ...group('networking.k8s.io/v1', [
    kind('IngressClass', 'ingressclasses', { namespaced: false, generation: true, storageVersionHash: 'l/iqIbDgFyQ=' }),
    kind('Ingress', 'ingresses', {
      shortNames: ['ing'],
      subresources: ['status'],
      generation: true,
      storageVersionHash: '39NQlfNR+bo=',
    }),
    kind('IPAddress', 'ipaddresses', { namespaced: false, shortNames: ['ip'], storageVersionHash: '3f/plJFChNE=' }),
    kind('NetworkPolicy', 'networkpolicies', {
      shortNames: ['netpol'],
      generation: true,
      storageVersionHash: 'YpfwF18m1G8=',
    }),
    kind('ServiceCIDR', 'servicecidrs', {
      namespaced: false,
      subresources: ['status'],
      storageVersionHash: 'gNLvruQhW2g=',
    }),
  ]),
  ...group('policy/v1', [
    kind('PodDisruptionBudget', 'poddisruptionbudgets', {
      shortNames: ['pdb'],
      subresources: ['status'],
      generation: true,
      storageVersionHash: 'EVWiDmWqyJw=',
    }),
  ]),
  ...group('rbac.authorization.k8s.io/v1', [
    kind('ClusterRoleBinding', 'clusterrolebindings', { namespaced: false, storageVersionHash: '48tpQ8gZHFc=' }),
    kind('ClusterRole', 'clusterroles', { namespaced: false, storageVersionHash: 'bYE5ZWDrJ44=' }),
    kind('RoleBinding', 'rolebindings', { storageVersionHash: 'eGsCzGH6b1g=' }),
    kind('Role', 'roles', { storageVersionHash: '7FuwZcIIItM=' }),
  ]),
  ...group('storage.k8s.io/v1', [
    kind('CSIDriver', 'csidrivers', { namespaced: false, storageVersionHash: 'hL6j/rwBV5w=' }),
    kind('CSINode', 'csinodes', { namespaced: false, storageVersionHash: 'Pe62DkZtjuo=' }),
    kind('CSIStorageCapacity', 'csistoragecapacities', { storageVersionHash: 'xeVl+2Ly1kE=' }),
    kind('StorageClass', 'storageclasses', {
      namespaced: false,
      shortNames: ['sc'],
      storageVersionHash: 'K+m6uJwbjGY=',
    }),
    kind('VolumeAttachment', 'volumeattachments', {
      namespaced: false,
      subresources: ['status'],
      storageVersionHash: 'tJx/ezt6UDU=',
    }),
    kind('VolumeAttributesClass', 'volumeattributesclasses', {
      namespaced: false,
      shortNames: ['vac'],
      storageVersionHash: 'Bl3MtjZ/n/s=',
    }),
  ]),
  ...group('admissionregistration.k8s.io/v1', [
    kind('MutatingWebhookConfiguration', 'mutatingwebhookconfigurations', {
      namespaced: false,
      categories: ['api-extensions'],
      generation: true,
      storageVersionHash: 'Sqi0GUgDaX0=',
    }),
    kind('ValidatingAdmissionPolicy', 'validatingadmissionpolicies', {
      namespaced: false,
      categories: ['api-extensions'],
      subresources: ['status'],
      generation: true,
      storageVersionHash: '6OxvlMmQ6is=',
    }),
    kind('ValidatingAdmissionPolicyBinding', 'validatingadmissionpolicybindings', {
      namespaced: false,
      categories: ['api-extensions'],
      generation: true,
      storageVersionHash: 'v9715VZqakg=',
    }),
    kind('ValidatingWebhookConfiguration', 'validatingwebhookconfigurations', {
      namespaced: false,
      categories: ['api-extensions'],
      generation: true,
      storageVersionHash: 'B0wHjQmsGNk=',
    }),
  ]),
  ...group('apiextensions.k8s.io/v1', [
    kind('CustomResourceDefinition', 'customresourcedefinitions', {
      namespaced: false,
      shortNames: ['crd', 'crds'],
      categories: ['api-extensions'],
      subresources: ['status'],
      generation: true,
      storageVersionHash: 'jfWCUB31mvA=',
    }),
  ]),
  ...group('scheduling.k8s.io/v1', [
    kind('PriorityClass', 'priorityclasses', {
      namespaced: false,
      shortNames: ['pc'],
      generation: true,
      storageVersionHash: '1QwjyaZjj3Y=',
    }),
  ]),
  ...group('coordination.k8s.io/v1', [kind('Lease', 'leases', { storageVersionHash: 'gqkMMb/YqFM=' })]),
  ...group('node.k8s.io/v1', [
    kind('RuntimeClass', 'runtimeclasses', { namespaced: false, storageVersionHash: 'WQTu1GL3T2Q=' }),
  ]),
  ...group('discovery.k8s.io/v1', [
    kind('EndpointSlice', 'endpointslices', { generation: true, storageVersionHash: 'qgS0xkrxYAI=' }),
  ]),
  ...group('resource.k8s.io/v1', [
    kind('DeviceClass', 'deviceclasses', { namespaced: false, storageVersionHash: 'weQRMT6DeYM=' }),
    kind('ResourceClaim', 'resourceclaims', { subresources: ['status'], storageVersionHash: 'EJAWH5WrAYg=' }),
    kind('ResourceClaimTemplate', 'resourceclaimtemplates', { storageVersionHash: '24m0okHrUtk=' }),
    kind('ResourceSlice', 'resourceslices', { namespaced: false, storageVersionHash: 'z6Bc9vgk6yE=' }),
  ]),
  ...group('flowcontrol.apiserver.k8s.io/v1', [
    kind('FlowSchema', 'flowschemas', {
      namespaced: false,
      subresources: ['status'],
      generation: true,
      storageVersionHash: 'GJVAJZSZBIw=',
    }),
    kind('PriorityLevelConfiguration', 'prioritylevelconfigurations', {
      namespaced: false,
      subresources: ['status'],
      generation: true,
      storageVersionHash: 'Kir5PVfvNeI=',
    }),
  ]),
];
