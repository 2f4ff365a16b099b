import { readFileSync } from 'node:fs';

/** package.json stands two folders up both in a clone and in a package. */
export const { version }: { readonly version: string } = JSON.parse(
  readFileSync(new URL('../../package.json', import.meta.url), 'utf8'),
);
