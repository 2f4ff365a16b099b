import { analyzeSettings } from '../cli/commands/analyze.ts';
import type { Bounded } from '../figures/figures.js';
import { memoryFiles } from '../host/memory-files.ts';
import { type Analysis, type AnalyzedEpisode, analyzeFiles } from '../validation/downtime/analyze.ts';
import { withSpans } from '../validation/window-downtime.ts';
import { asFlags } from './guest-context.ts';

/** The document of `analyze --json`. */
export interface AnalysisDocument extends Omit<Analysis, 'episodes'> {
  /** The outages as people see them. */
  readonly episodes: readonly (AnalyzedEpisode & { readonly span: Bounded })[];
}

/** Each is the option of `holdfast analyze` of that name (docs/library.md). They replace those of the log's header. */
export interface AnalyzeOptions {
  /** A duration such as `500ms`. */
  readonly slow?: string;
  readonly expect?: string | number;
  /** ISO 8601; UTC without a zone. */
  readonly from?: string;
  readonly to?: string;
  /** The columns of a loop's log, as `time,status,total`. */
  readonly columns?: string;
  readonly signal?: AbortSignal;
}

/**
 * The outages of a downtime log of holdfast or of a curl loop: the document of `holdfast analyze --json`. `log` is its
 * text, or the pieces of it. Rejects with a `UsageError` where an option is wrong, or the text is no downtime log.
 */
export async function analyze(
  log: string | AsyncIterable<string | Uint8Array> | Iterable<string | Uint8Array>,
  { signal, ...options }: AnalyzeOptions = {},
): Promise<AnalysisDocument> {
  const settings = analyzeSettings(asFlags(options));
  signal?.throwIfAborted();
  const pieces = typeof log === 'string' ? [log] : log;
  return withSpans(await analyzeFiles({ files: memoryFiles(), input: bytesOf(pieces, signal) }, ['-'], settings));
}

async function* bytesOf(
  pieces: AsyncIterable<string | Uint8Array> | Iterable<string | Uint8Array>,
  signal: AbortSignal | undefined,
): AsyncIterable<Uint8Array> {
  for await (const piece of pieces) {
    signal?.throwIfAborted();
    yield typeof piece === 'string' ? Buffer.from(piece) : piece;
  }
}
