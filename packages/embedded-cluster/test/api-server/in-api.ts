import assert from 'node:assert/strict';
import { type ApiServer, type ApiServerOptions, createApiServer } from '../../src/api-server/api-server.ts';
import type { ApiError, Cluster } from '../../src/kubernetes/cluster.ts';
import type { Deployment, Pod, PodDisruptionBudget } from '../../src/kubernetes/resources.ts';
import type { HttpRequest } from '../../src/outside/http.ts';
import { randomStreams } from '../../src/outside/random.ts';
import { type VirtualClock, virtualClock } from '../../src/time/clock.ts';

export interface InApi {
  readonly clock: VirtualClock;
  readonly server: ApiServer;
  readonly cluster: Cluster;
}

export const startedAt = Date.parse('2026-11-20T10:00:00Z');

/** Runs `play` on a new API server in virtual time. */
export async function inApi(
  main: (it: InApi) => Promise<void>,
  { at = startedAt, ...options }: Partial<ApiServerOptions> & { readonly at?: number } = {},
): Promise<void> {
  const clock = virtualClock(at, { stallTimeoutSeconds: 5 });
  const server = createApiServer({ clock, random: randomStreams('1'), ...options });
  await clock.run(() => main({ clock, server, cluster: server.cluster('tester') }));
  clock.close();
  assert.deepEqual([...clock.unheld], []);
}

/** Sends one HTTP request; returns the response as JSON. */
export async function request(
  server: ApiServer,
  method: HttpRequest['method'],
  path: string,
  body?: unknown,
  headers: Readonly<Record<string, string>> = {},
) {
  const text = body === undefined ? {} : { body: typeof body === 'string' ? body : JSON.stringify(body) };
  const response = await server.handle({ method, url: `http://api${path}`, headers, ...text });
  // biome-ignore lint/suspicious/noExplicitAny: any response of the API.
  const json: any = JSON.parse(await response.text());
  return { status: response.status, headers: response.headers, json };
}

/**
 * Asserts that the work is refused with this status, by the server in process or by a client of it, and returns the
 * error.
 */
export async function refused(work: Promise<unknown>, status: number): Promise<ApiError> {
  const error = await work.then(
    () => undefined,
    (reason: unknown) => reason,
  );
  assert.ok(error instanceof Error && error.name === 'ApiError', `not refused: ${error}`);
  const refusal = error as ApiError;
  assert.equal(refusal.status, status, refusal.message);
  return refusal;
}

const labels = { app: 'nginx-test' };

export function deployment(spec: Partial<Deployment['spec']> = {}): Deployment {
  return {
    apiVersion: 'apps/v1',
    kind: 'Deployment',
    metadata: { name: 'nginx-test', namespace: 'default' },
    spec: {
      replicas: 2,
      selector: { matchLabels: labels },
      template: {
        metadata: { labels },
        spec: { containers: [{ name: 'nginx', image: 'nginx', ports: [{ containerPort: 80 }] }] },
      },
      ...spec,
    },
  };
}

export function pod(name: string, spec: Partial<Pod['spec']> = {}): Pod {
  return {
    apiVersion: 'v1',
    kind: 'Pod',
    metadata: { name, namespace: 'default', labels },
    spec: { containers: [{ name: 'nginx', image: 'nginx' }], ...spec },
  };
}

/** A running pod, which is ready or not. */
export async function runningPod(cluster: Cluster, name: string, ready = true): Promise<Pod> {
  const { metadata } = await cluster.create(pod(name, { nodeName: 'node-a' }));
  const status = { phase: 'Running', conditions: [{ type: 'Ready', status: ready ? 'True' : 'False' }] };
  return cluster.patch('Pod', metadata, { type: 'merge', value: { status } }, { subresource: 'status' });
}

export function budget(spec: Partial<PodDisruptionBudget['spec']> = {}): PodDisruptionBudget {
  return {
    apiVersion: 'policy/v1',
    kind: 'PodDisruptionBudget',
    metadata: { name: 'nginx-pdb', namespace: 'default' },
    spec: { minAvailable: 1, selector: { matchLabels: labels }, ...spec },
  };
}
