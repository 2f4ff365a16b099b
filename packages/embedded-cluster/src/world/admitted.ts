import type { HttpRequest } from '../outside/http.ts';
import type { Setup } from '../setup/setup.ts';

/** Sends JSON bodies through the webhook; one that it leaves unchanged, such as a patch without a kind, keeps its text. YAML bypasses it. */
export function admitted(request: HttpRequest, { admit }: Setup): HttpRequest {
  const { body } = request;
  if (body === undefined || !body.startsWith('{')) return request;
  const sent = objectIn(body);
  const changed = sent && admit(sent);
  return changed === sent ? request : { ...request, body: JSON.stringify(changed) };
}

/** The object that a body is; undefined for any other text, which the API server refuses. */
function objectIn(body: string): object | undefined {
  try {
    const value: unknown = JSON.parse(body);
    return typeof value === 'object' && value !== null ? value : undefined;
  } catch {
    return undefined;
  }
}
