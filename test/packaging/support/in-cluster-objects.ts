import { readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { parse, parseAllDocuments } from 'yaml';

export const packaging = join(import.meta.dirname, '../../../packaging');

export interface ClusterObject {
  readonly apiVersion: string;
  readonly kind: string;
  readonly metadata: { readonly name: string; readonly namespace?: string };
  // biome-ignore lint/suspicious/noExplicitAny: objects of many kinds, of which each test reads a few fields.
  readonly [field: string]: any;
}

/** The documents of a file that say something. */
export function documentsIn(text: string): readonly ClusterObject[] {
  return parseAllDocuments(text)
    .map((document) => document.toJS() as ClusterObject | null)
    .filter((object) => object !== null);
}

/**
 * What `kubectl apply -k` sends for a folder: its resources, and its ConfigMaps from files (their names without the
 * hash).
 */
export function kustomized(folder: string): readonly ClusterObject[] {
  const { resources = [], configMapGenerator = [] } = parse(readFileSync(join(folder, 'kustomization.yaml'), 'utf8'));
  const objects = (resources as readonly string[]).flatMap((name) => {
    const path = join(folder, name);
    return statSync(path).isDirectory() ? kustomized(path) : documentsIn(readFileSync(path, 'utf8'));
  });
  const generated = (configMapGenerator as readonly { name: string; namespace: string; files: string[] }[]).map(
    ({ name, namespace, files }) => ({
      apiVersion: 'v1',
      kind: 'ConfigMap',
      metadata: { name, namespace },
      data: Object.fromEntries(files.map((file) => [file, readFileSync(join(folder, file), 'utf8')])),
    }),
  );
  return [...objects, ...generated];
}
