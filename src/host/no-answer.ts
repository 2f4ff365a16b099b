import { OperationError } from './errors.ts';

/** That a request has no answer, or no whole one. The URL's query and user are left out: they may be secret. */
export function noAnswer(
  { method, url }: { readonly method: string; readonly url: string },
  reason: string,
  cause?: unknown,
): OperationError {
  const { origin, pathname } = new URL(url);
  return new OperationError({ tried: method, on: origin + pathname, reason }, { cause });
}

export function reasonOf(cause: unknown): string {
  if (!(cause instanceof Error)) return String(cause);
  const code = 'code' in cause ? ` (${cause.code})` : '';
  return (cause.message || cause.name) + code;
}

/** The whole body as text. */
export async function textOf(chunks: AsyncIterable<Uint8Array>): Promise<string> {
  const decoder = new TextDecoder();
  let text = '';
  for await (const chunk of chunks) text += decoder.decode(chunk, { stream: true });
  return text + decoder.decode();
}
