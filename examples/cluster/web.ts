import { readFileSync } from 'node:fs';
import { createCluster, type EmbeddedCluster, type Written } from '@holdfast/embedded-cluster';
import { parseAllDocuments } from 'yaml';

const file = new URL('web.yaml', import.meta.url);
const manifests = parseAllDocuments(readFileSync(file, 'utf8')).map((one) => one.toJS() as Written);
const page = new URL('http://app.example.com/');

export const web = { namespace: 'default', name: 'web' };

/** What a visitor gets, who waits for five seconds: a status, or why there is none. */
export async function visit(cluster: EmbeddedCluster): Promise<number | string | undefined> {
  const { response, error } = await cluster.get(page, { timeoutSeconds: 5 });
  return response?.status ?? error;
}

/** A cluster in which both replicas are available, and every ingress controller knows them. */
export async function withWeb(): Promise<EmbeddedCluster> {
  const cluster = createCluster({ manifests });
  await cluster.runUntil(async () => {
    const deployment = await cluster.kubernetes('me').get('Deployment', web);
    return deployment?.status?.availableReplicas === 2;
  });
  await cluster.runUntil(async () => (await visit(cluster)) === 200);
  await cluster.runFor(10);
  return cluster;
}
