import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';

/** An object of each kind that an application brings, and how a kube-apiserver 1.34.4 without controllers stored it. */
export interface RecordedKind {
  readonly path: string;
  readonly sent: { readonly kind: string; readonly metadata: { readonly name: string } };
  readonly stored: object;
}

export function recordedKinds(): readonly RecordedKind[] {
  const file = join(import.meta.dirname, 'kinds.jsonl.gz');
  const lines = gunzipSync(readFileSync(file)).toString('utf8').trimEnd().split('\n');
  return lines.map((line) => JSON.parse(line) as RecordedKind);
}
