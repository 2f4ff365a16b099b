import { randomBytes, timingSafeEqual } from 'node:crypto';
import type { HttpRequest, HttpResponse } from '../../host/host.ts';
import type { World } from '../world/world.ts';
import { serverCertificate } from './certificates.ts';
import { serveHttp } from './http-endpoint.ts';
import { kubeconfigText } from './kubeconfig.ts';
import { type Endpoint, loopback } from './loopback.ts';

export interface ApiEndpoint extends Endpoint {
  /** The whole file; it holds the token that lets its reader in. */
  readonly kubeconfig: string;
}
export interface ApiEndpointOptions {
  readonly world: Pick<World, 'api'>;
  /** Epoch milliseconds: the certificate is valid around it. */
  readonly at: number;
  /** Throws when the API server is unreachable for that request. */
  readonly requireReachable?: (request: HttpRequest) => void;
}

/** The embedded API server over TLS, for whoever has its kubeconfig; everybody else is a 401. */
export async function serveApi({ world, at, requireReachable }: ApiEndpointOptions): Promise<ApiEndpoint> {
  const { ca, cert, key } = serverCertificate(at);
  const token = randomBytes(32).toString('base64url');
  const endpoint = await serveHttp({
    tls: { cert, key },
    origin: `https://${loopback}`,
    answer: async (request, signal) => {
      requireReachable?.(request);
      if (!isKnown(request.headers?.authorization ?? '', token)) return unauthorized;
      return world.api(request, signal);
    },
  });
  const server = `https://${loopback}:${endpoint.port}`;
  return { ...endpoint, kubeconfig: kubeconfigText({ server, ca, token }) };
}

function isKnown(authorization: string, token: string): boolean {
  const [said, wanted] = [Buffer.from(authorization), Buffer.from(`Bearer ${token}`)];
  return said.length === wanted.length && timingSafeEqual(said, wanted);
}

/** As the API server words it. */
const refusal = JSON.stringify({
  kind: 'Status',
  apiVersion: 'v1',
  metadata: {},
  status: 'Failure',
  message: 'Unauthorized',
  reason: 'Unauthorized',
  code: 401,
});

const unauthorized: HttpResponse = {
  status: 401,
  headers: { 'content-type': 'application/json' },
  text: async () => refusal,
  chunks: async function* () {
    yield new TextEncoder().encode(refusal);
  },
  discard: () => undefined,
};
