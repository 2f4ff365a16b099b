import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { gunzipSync, gzipSync } from 'node:zlib';
import type { Said } from './session.ts';

const file = join(import.meta.dirname, 'session.json.gz');

/** What kubectl 1.34.4 said on a kube-apiserver 1.34.4 with its controller manager and its scheduler. */
export const recorded = (): readonly Said[] => JSON.parse(gunzipSync(readFileSync(file)).toString('utf8'));

export const record = (said: readonly Said[]): void =>
  writeFileSync(file, gzipSync(JSON.stringify(said), { level: 9 }));
