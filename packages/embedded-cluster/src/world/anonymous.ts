import { anonymous, userHeader } from '../api-server/wire-request.ts';
import type { HttpRequest } from '../outside/http.ts';

/** The request as one without credentials, which the API server takes as that of `system:anonymous`. */
export function asAnonymous(request: HttpRequest): HttpRequest {
  const { authorization: _, ...headers } = request.headers ?? {};
  return { ...request, headers: { ...headers, [userHeader]: anonymous } };
}
