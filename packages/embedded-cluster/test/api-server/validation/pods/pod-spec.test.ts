import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { podSpecCauses } from '../../../../src/api-server/validation/pods/pod-spec.ts';

const container = { name: 'app', image: 'app' };
const pod = (more: object) => ({ containers: [container], ...more });
const withContainer = (more: object) => ({ containers: [{ ...container, ...more }] });

/** The errors in a spec, one a line, as kubernetes' pkg/apis/core/validation words them. */
const causes = (spec: unknown): readonly string[] =>
  podSpecCauses(spec, 'spec').map(({ field, message }) => `${field}: ${message}`);

const refused: readonly (readonly [what: string, spec: object, ...causes: readonly string[]])[] = [
  [
    'a mount of a file above its volume',
    { ...withContainer({ volumeMounts: [{ name: 'v', mountPath: '/v', subPath: '../x' }] }), volumes: [{ name: 'v' }] },
    'spec.containers[0].volumeMounts.subPath: Invalid value: "../x": must not contain \'..\'',
  ],
  [
    'two mounts at one place',
    {
      ...withContainer({
        volumeMounts: [
          { name: 'v', mountPath: '/v' },
          { name: 'v', mountPath: '/v' },
        ],
      }),
      volumes: [{ name: 'v' }],
    },
    'spec.containers[0].volumeMounts[1].mountPath: Invalid value: "/v": must be unique',
  ],
  [
    'a variable with two sources',
    withContainer({
      env: [
        { name: 'A', valueFrom: { fieldRef: { fieldPath: 'metadata.name' }, secretKeyRef: { name: 's', key: 'k' } } },
      ],
    }),
    'spec.containers[0].env[0].valueFrom: Invalid value: "": may not have more than one field specified at a time',
  ],
  [
    'a variable of a field that only a volume can have',
    withContainer({ env: [{ name: 'A', valueFrom: { fieldRef: { fieldPath: 'metadata.labels' } } }] }),
    'spec.containers[0].env[0].valueFrom.fieldRef.fieldPath: Unsupported value: "metadata.labels": supported values: "metadata.name", "metadata.namespace", "metadata.uid", "spec.nodeName", "spec.serviceAccountName", "status.hostIP", "status.hostIPs", "status.podIP", "status.podIPs"',
  ],
  [
    'a set of variables from nowhere',
    withContainer({ envFrom: [{}] }),
    'spec.containers[0].envFrom: Invalid value: "": must specify one of: `configMapRef` or `secretRef`',
  ],
  [
    'a probe of an init container that ends',
    pod({ initContainers: [{ name: 'first', image: 'first', livenessProbe: { tcpSocket: { port: 80 } } }] }),
    'spec.initContainers[0].livenessProbe: Forbidden: may not be set for init containers without restartPolicy=Always',
  ],
  [
    'one port of the node for two containers',
    {
      containers: [
        { ...container, ports: [{ containerPort: 1, hostPort: 80, protocol: 'TCP' }] },
        { ...container, name: 'other', ports: [{ containerPort: 2, hostPort: 80, protocol: 'TCP' }] },
      ],
    },
    'spec.containers[1].ports[0].hostPort: Duplicate value: "TCP//80"',
  ],
  [
    'a port of the node that is not the container’s in the node’s network',
    { ...withContainer({ ports: [{ containerPort: 1, hostPort: 80 }] }), hostNetwork: true },
    'spec.containers[0].ports[0].hostPort: Invalid value: 80: must match `containerPort` when `hostNetwork` is true',
  ],
  [
    'one spread twice',
    pod({
      topologySpreadConstraints: [
        { maxSkew: 1, topologyKey: 'zone', whenUnsatisfiable: 'DoNotSchedule' },
        { maxSkew: 2, topologyKey: 'zone', whenUnsatisfiable: 'DoNotSchedule' },
      ],
    }),
    'spec.topologySpreadConstraints[0].{topologyKey, whenUnsatisfiable}: Duplicate value: "{zone, DoNotSchedule}"',
  ],
  [
    'a key of labels without a selector',
    pod({
      topologySpreadConstraints: [
        { maxSkew: 1, topologyKey: 'zone', whenUnsatisfiable: 'DoNotSchedule', matchLabelKeys: ['a'] },
      ],
    }),
    'spec.topologySpreadConstraints[0].matchLabelKeys: Forbidden: must not be specified when labelSelector is not set',
  ],
  [
    'a toleration with a value of another form',
    pod({ tolerations: [{ key: 'a', operator: 'Same' }] }),
    'spec.tolerations[0].operator: Unsupported value: "Same": supported values: "Equal", "Exists"',
  ],
  [
    'four name servers',
    pod({ dnsConfig: { nameservers: ['1.1.1.1', '1.1.1.2', '1.1.1.3', '1.1.1.4'] } }),
    'spec.dnsConfig.nameservers: Invalid value: ["1.1.1.1","1.1.1.2","1.1.1.3","1.1.1.4"]: must not have more than 3 nameservers',
  ],
  [
    'a local profile without a file',
    pod({ securityContext: { seccompProfile: { type: 'Localhost' } } }),
    'spec.securityContext.seccompProfile.localhostProfile: Required value: must be set when seccomp type is Localhost',
  ],
  [
    'a token for less than ten minutes',
    pod({
      volumes: [
        { name: 'v', projected: { sources: [{ serviceAccountToken: { path: 'token', expirationSeconds: 60 } }] } },
      ],
    }),
    'spec.volumes[0].projected.sources[0].serviceAccountToken.expirationSeconds: Invalid value: 60: may not specify a duration less than 10 minutes',
  ],
  [
    'a file mode above 0777',
    pod({ volumes: [{ name: 'v', secret: { secretName: 's', defaultMode: 512 } }] }),
    'spec.volumes[0].secret.defaultMode: Invalid value: 512: must be a number between 0 and 0777 (octal), both inclusive',
  ],
  [
    'an affinity to a field other than the name',
    pod({
      affinity: {
        nodeAffinity: {
          requiredDuringSchedulingIgnoredDuringExecution: {
            nodeSelectorTerms: [{ matchFields: [{ key: 'spec.x', operator: 'In', values: ['a'] }] }],
          },
        },
      },
    }),
    'spec.affinity.nodeAffinity.requiredDuringSchedulingIgnoredDuringExecution.nodeSelectorTerms[0].matchFields[0].key: Invalid value: "spec.x": not a valid field selector key',
  ],
];

describe('a pod is refused for', () => {
  for (const [what, spec, ...expected] of refused) test(what, () => assert.deepEqual(causes(spec), expected));
});

test('a pod with all of it right is accepted', () => {
  const spec = {
    containers: [
      {
        ...container,
        ports: [{ containerPort: 80, name: 'http', protocol: 'TCP' }],
        env: [
          { name: 'A', value: 'x' },
          { name: 'NODE', valueFrom: { fieldRef: { fieldPath: 'spec.nodeName' } } },
          { name: 'LABEL', valueFrom: { fieldRef: { fieldPath: "metadata.labels['app']" } } },
          { name: 'CPU', valueFrom: { resourceFieldRef: { resource: 'limits.cpu' } } },
        ],
        envFrom: [{ configMapRef: { name: 'settings' } }],
        volumeMounts: [{ name: 'v', mountPath: '/v', subPath: 'a/b' }],
        securityContext: { runAsUser: 0, seccompProfile: { type: 'RuntimeDefault' } },
        resources: { requests: { cpu: '1', 'example.com/gpu': '1' }, limits: { 'example.com/gpu': '1' } },
      },
    ],
    initContainers: [
      { name: 'side', image: 'side', restartPolicy: 'Always', readinessProbe: { exec: { command: ['a'] } } },
    ],
    volumes: [{ name: 'v', configMap: { name: 'files', items: [{ key: 'a', path: 'b' }] } }],
    tolerations: [{ operator: 'Exists' }, { key: 'a', effect: 'NoExecute', tolerationSeconds: 5 }],
    hostAliases: [{ ip: '10.0.0.1', hostnames: ['a.b'] }],
    dnsPolicy: 'None',
    dnsConfig: { nameservers: ['10.0.0.10'], searches: ['_a.b.'] },
  };
  assert.deepEqual(causes(spec), []);
});
