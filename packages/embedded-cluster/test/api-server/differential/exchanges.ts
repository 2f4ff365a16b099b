import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import type { HttpRequest } from '../../../src/outside/http.ts';

/**
 * A request that a kube-apiserver 1.34.4 was sent, and what it answered: recorded, normalised, in the order of the
 * recording.
 */
export interface Exchange {
  readonly group: string;
  readonly method: HttpRequest['method'];
  /** With its query; `{page1.metadata.continue}` is a field of the answer that was saved as `page1`. */
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: string;
  /** Sent without the credentials of the cluster's user. */
  readonly anonymous?: true;
  readonly save?: string;
  readonly watch?: true;
  /** How long the controllers had before the next request. */
  readonly settleSeconds?: number;
  readonly answer: Answer;
}

export interface Answer {
  readonly status: number;
  /** The media type without its parameters. */
  readonly type?: string;
  readonly warning?: string;
  readonly retryAfter?: string;
  /** A JSON value; of a watch the list of its events; otherwise the text. */
  readonly body: unknown;
}

/**
 * Of which server: one in a cluster with its controllers and four nodes, or (eight times) an API server alone, beside
 * which nothing acts.
 */
export type Recording = 'cluster' | 'alone' | 'further' | 'infra' | 'blog' | 'forum' | 'wiki' | 'fields' | 'desk';

const files: Readonly<Record<Recording, string>> = {
  cluster: 'exchanges.jsonl.gz',
  alone: 'exchanges-alone.jsonl.gz',
  further: 'exchanges-further.jsonl.gz',
  infra: 'exchanges-infra.jsonl.gz',
  blog: 'exchanges-blog.jsonl.gz',
  forum: 'exchanges-forum.jsonl.gz',
  wiki: 'exchanges-wiki.jsonl.gz',
  fields: 'exchanges-fields.jsonl.gz',
  desk: 'exchanges-desk.jsonl.gz',
};

/** Every recorded exchange. */
export function exchanges(recording: Recording = 'cluster'): readonly Exchange[] {
  const text = gunzipSync(readFileSync(join(import.meta.dirname, files[recording]))).toString('utf8');
  return text.trimEnd().split('\n').map(exchangeOf);
}

const exchangeOf = (line: string): Exchange => JSON.parse(line) as Exchange;
