import { parseAllDocuments, parseDocument } from 'yaml';

/** Loaded by those who read some: the bundle gives the names of a CommonJS package to static imports alone. */
export const yaml = { parseAllDocuments, parseDocument };
