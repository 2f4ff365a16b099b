import type { ApplyOptions, DeleteOptions, NamespacedName } from './cluster.ts';
import type { Metadata } from './metadata.ts';

/** meta/v1 TypeMeta. */
export interface TypeMeta {
  readonly apiVersion: string;
  readonly kind: string;
}
export interface AnyObject extends TypeMeta {
  readonly metadata: Metadata;
}
/** The objects of one kind, which the product need not know; the members are as those of `Cluster`. */
export interface Objects {
  get(at: NamespacedName): Promise<AnyObject | undefined>;
  apply(object: AnyObject, options: ApplyOptions): Promise<AnyObject>;
  delete(at: NamespacedName, options?: DeleteOptions): Promise<'deleted' | 'gone'>;
}
