const labels = { app: 'shop' };
const deployment = (spec: object = {}, more: object = {}) => ({
  apiVersion: 'apps/v1',
  kind: 'Deployment',
  metadata: { name: 'shop', labels },
  spec: {
    replicas: 1,
    selector: { matchLabels: labels },
    template: {
      metadata: { labels },
      spec: { containers: [{ name: 'shop', image: 'shop:1', ports: [{ containerPort: 8080 }] }], ...more },
    },
    ...spec,
  },
});
const service = {
  apiVersion: 'v1',
  kind: 'Service',
  metadata: { name: 'shop', labels },
  spec: { selector: labels, ports: [{ name: 'http', port: 80, targetPort: 8080 }] },
};
const pod = {
  apiVersion: 'v1',
  kind: 'Pod',
  metadata: { name: 'dry', labels },
  spec: { containers: [{ name: 'c', image: 'busybox' }] },
};
const documents = (...all: readonly object[]): string => all.map((one) => JSON.stringify(one)).join('\n---\n');

/** What the commands of the session get on standard input. */
export const manifests: Readonly<Record<string, string>> = {
  shop: documents(deployment(), service),
  shopChanged: documents(deployment({ minReadySeconds: 2 }, { terminationGracePeriodSeconds: 5 }), service),
  shopServerSide: documents(deployment({ minReadySeconds: 2 }, { terminationGracePeriodSeconds: 5 })),
  shopTwoReplicas: documents(deployment({ replicas: 2 })),
  wrongType: documents(deployment({ replicas: 'two' })),
  unknownField: documents(deployment({ replica: 1 })),
  shopPod: documents(pod),
  list: documents({ apiVersion: 'v1', kind: 'List', items: [service] }),
};
