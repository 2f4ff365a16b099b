import type { HttpResponse } from '../../host/host.ts';
import type { World } from '../world/world.ts';
import { serveHttp } from './http-endpoint.ts';
import type { Endpoint } from './loopback.ts';

/** One of the cloud's APIs as an endpoint of its own (`AWS_ENDPOINT_URL_…`); `origin` is where the service lives in the cloud. */
export function serveCloud({ cloudApi }: Pick<World, 'cloudApi'>, origin: string): Promise<Endpoint> {
  return serveHttp({
    origin,
    answer: async (request) => {
      const answer = cloudApi.handle(request);
      return answer && xml(answer.status, answer.body);
    },
  });
}

function xml(status: number, body: string): HttpResponse {
  return {
    status,
    headers: { 'content-type': 'text/xml' },
    text: async () => body,
    chunks: async function* () {
      yield new TextEncoder().encode(body);
    },
    discard: () => undefined,
  };
}
