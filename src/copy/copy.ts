import type { Kind, Kinds } from '@holdfast/embedded-cluster';

/** An object of a copy: what was kept of it. */
export interface CopiedObject {
  readonly apiVersion: string;
  readonly kind: string;
  readonly metadata: Kinds['Pod']['metadata'];
}

/** A cluster as it was at one instant. */
export interface Copy {
  /** Epoch milliseconds: what the snapshot says, else the newest instant that an object of it names. */
  readonly takenAt: number;
  /** The version of its API server, such as `v1.34.1`; undefined where nothing says it. */
  readonly kubernetes: string | undefined;
  /** By kind, in the order of namespace and name. */
  readonly objects: ReadonlyMap<string, readonly CopiedObject[]>;
  /** The kinds that were asked for, so that none means that there is none; undefined: what is there was dumped. */
  readonly kindsRead: readonly string[] | undefined;
  /** The namespaces that alone were read; none: all of them. */
  readonly namespaces: readonly string[];
}

/** The objects of a kind. */
export const ofKind = <K extends Kind>({ objects }: Pick<Copy, 'objects'>, kind: K): readonly Kinds[K][] =>
  (objects.get(kind) ?? []) as unknown as readonly Kinds[K][];

/** `namespace/name`, or the name alone. */
export const keyOf = ({ metadata: { namespace, name } }: Pick<CopiedObject, 'metadata'>): string =>
  namespace === undefined ? name : `${namespace}/${name}`;
