import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parse } from 'yaml';
import { compact } from './kubernetes.ts';

interface CustomDefinition {
  readonly spec: {
    readonly group: string;
    readonly names: { readonly kind: string };
    readonly versions: readonly { readonly name: string; readonly schema: { readonly openAPIV3Schema: object } }[];
  };
}

/** The schemas of Karpenter's kinds by apiVersion and kind, out of a checkout of its AWS provider. */
export function customSchemasOf(checkout: string): Readonly<Record<string, unknown>> {
  const folder = join(checkout, 'pkg/apis/crds');
  const files = readdirSync(folder)
    .filter((name) => name.endsWith('.yaml'))
    .toSorted();
  return Object.fromEntries(
    files.flatMap((name) => {
      const { spec } = parse(readFileSync(join(folder, name), 'utf8')) as CustomDefinition;
      return spec.versions.map((version) => [
        `${spec.group}/${version.name} ${spec.names.kind}`,
        compact(version.schema.openAPIV3Schema),
      ]);
    }),
  );
}
