import type { World } from '../world/world.ts';
import { serveHttp, textResponse } from './http-endpoint.ts';
import type { Endpoint } from './loopback.ts';

/** Serves one API of AWS at an endpoint of its own (`AWS_ENDPOINT_URL_…`). `origin` is the URL of the service at AWS. */
export function serveCloud({ cloudApi }: Pick<World, 'cloudApi'>, origin: string): Promise<Endpoint> {
  return serveHttp({
    origin,
    answer: async (request) => {
      const response = cloudApi.handle(request);
      return response && textResponse(response.status, 'text/xml', response.body);
    },
  });
}
