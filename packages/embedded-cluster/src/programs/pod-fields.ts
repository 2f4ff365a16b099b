import type { Pod } from '../kubernetes/resources.ts';
import type { Container } from '../kubernetes/specs.ts';

/** A field of a pod that the downward API can show (core/v1, ObjectFieldSelector): a label or an annotation; undefined where the pod has none. */
export function fieldOf({ metadata }: Pod, fieldPath: string): string | undefined {
  const [, kind, key = ''] = /^metadata\.(labels|annotations)\['(.+)'\]$/.exec(fieldPath) ?? [];
  return kind === undefined ? undefined : metadata[kind as 'labels' | 'annotations']?.[key];
}

/** The environment of a container: literal values, and fields of its pod as they are when it starts. */
export function environmentOf(pod: Pod, { env = [] }: Pick<Container, 'env'>): Readonly<Record<string, string>> {
  return Object.fromEntries(
    env.flatMap(({ name, value, valueFrom }) => {
      const { fieldRef } = (valueFrom ?? {}) as { readonly fieldRef?: { readonly fieldPath: string } };
      const text = fieldRef === undefined ? value : fieldOf(pod, fieldRef.fieldPath);
      return text === undefined ? [] : [[name, text]];
    }),
  );
}

/** The files of a container's downward API volumes: the path of each, and the field that it shows. */
export function shownFields(
  { spec }: Pod,
  { volumeMounts = [] }: Pick<Container, 'volumeMounts'>,
): ReadonlyMap<string, string> {
  const items = (volume: string) =>
    spec.volumes?.flatMap(({ name, downwardAPI }) => (name === volume ? (downwardAPI?.items ?? []) : [])) ?? [];
  return new Map(
    volumeMounts.flatMap(({ name, mountPath }) =>
      items(name).map(({ path, fieldRef }) => [`${mountPath}/${path}`, fieldRef.fieldPath] as const),
    ),
  );
}
