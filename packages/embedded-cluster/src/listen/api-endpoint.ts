import { randomBytes, timingSafeEqual } from 'node:crypto';
import type { HttpRequest, HttpResponse } from '../outside/http.ts';
import { asAnonymous } from '../world/anonymous.ts';
import type { World } from '../world/world.ts';
import { serverCertificate } from './certificates.ts';
import { serveHttp, textResponse } from './http-endpoint.ts';
import { type Endpoint, loopback } from './loopback.ts';

export interface ApiEndpoint extends Endpoint {
  /** The text of a kubeconfig file. It contains the token: whoever reads it has access. */
  readonly kubeconfig: string;
}
export interface ApiEndpointOptions {
  readonly world: Pick<World, 'api'>;
  /** Epoch milliseconds: the certificate is valid from an hour before for thirty days. */
  readonly at: number;
  /** Throws when the API server is unreachable for that request. */
  readonly requireReachable?: (request: HttpRequest) => void;
}

/** Serves the embedded API server over TLS. A request without the token of the kubeconfig gets a 401 or a 403. */
export async function serveApi({ world, at, requireReachable }: ApiEndpointOptions): Promise<ApiEndpoint> {
  const { ca, cert, key } = serverCertificate(at);
  const token = randomBytes(32).toString('base64url');
  const answer = authenticated(world.api, token);
  const endpoint = await serveHttp({
    tls: { cert, key },
    origin: `https://${loopback}`,
    answer: async (request, signal) => {
      requireReachable?.(request);
      return answer(request, signal);
    },
  });
  const server = `https://${loopback}:${endpoint.port}`;
  return { ...endpoint, kubeconfig: kubeconfigText({ server, ca, token }) };
}

/** Answers a request, as `World.api`. */
export type Answering = World['api'];

/**
 * The server behind a token: a request with another one gets a 401, and one without any is anonymous, who may ask for
 * the health only.
 */
export function authenticated(server: Answering, token: string): Answering {
  return async (request, signal) => {
    const { authorization = '' } = request.headers ?? {};
    if (isAuthorized(authorization, token)) return server(request, signal);
    return authorization === '' ? server(asAnonymous(request), signal) : unauthorized;
  };
}

function isAuthorized(authorization: string, token: string): boolean {
  const [sent, expected] = [Buffer.from(authorization), Buffer.from(`Bearer ${token}`)];
  return sent.length === expected.length && timingSafeEqual(sent, expected);
}

/** The Status with which an API server refuses an unknown token. */
const refusal = JSON.stringify({
  kind: 'Status',
  apiVersion: 'v1',
  metadata: {},
  status: 'Failure',
  message: 'Unauthorized',
  reason: 'Unauthorized',
  code: 401,
});

const unauthorized: HttpResponse = textResponse(401, 'application/json', refusal);

interface KubeconfigParts {
  readonly server: string;
  /** The certificate of the authority, in PEM. */
  readonly ca: string;
  readonly token: string;
}

/** A kubeconfig with one cluster, one user and one context, all named `holdfast-rehearsal`. */
function kubeconfigText({ server, ca, token }: KubeconfigParts): string {
  return `apiVersion: v1
kind: Config
clusters:
  - name: holdfast-rehearsal
    cluster:
      server: ${server}
      certificate-authority-data: ${Buffer.from(ca).toString('base64')}
users:
  - name: holdfast-rehearsal
    user:
      token: ${token}
contexts:
  - name: holdfast-rehearsal
    context:
      cluster: holdfast-rehearsal
      user: holdfast-rehearsal
      namespace: default
current-context: holdfast-rehearsal
`;
}
