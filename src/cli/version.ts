import { readFileSync } from 'node:fs';

const manifest: unknown = JSON.parse(readFileSync(new URL('../../package.json', import.meta.url), 'utf8'));

/** The version in package.json, which stands two folders up both in a clone and in a package. */
export const version: string = (manifest as { readonly version: string }).version;
