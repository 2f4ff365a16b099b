import type { Json } from '../objects/json.ts';
import type { StoredObject } from '../objects/objects.ts';
import { columnsOf } from './columns.ts';

/** The objects of a table, and the metadata of their list. */
export interface TableOf {
  readonly kind: string;
  readonly objects: readonly StoredObject[];
  readonly metadata: Json;
  readonly nowAt: number;
}

/** A Table (meta/v1), which `kubectl get` asks for because the server knows the columns of a kind. `nowAt` is in epoch milliseconds. */
export function table({ kind, objects, metadata, nowAt }: TableOf): Json {
  const columns = columnsOf(kind);
  return {
    kind: 'Table',
    apiVersion: 'meta.k8s.io/v1',
    metadata,
    columnDefinitions: columns.map(({ name, wide = false }) => ({
      name,
      type: 'string',
      format: name === 'Name' ? 'name' : '',
      description: '',
      priority: wide ? 1 : 0,
    })),
    rows: objects.map((object) => ({
      cells: columns.map(({ cell }) => cell(object, nowAt)),
      object: { kind: 'PartialObjectMetadata', apiVersion: 'meta.k8s.io/v1', metadata: object.metadata },
    })),
  };
}

/** Whether the first choice of an Accept header is a Table (`application/json;as=Table;v=v1;g=meta.k8s.io,…`). */
export function wantsTable(accept: string | undefined): boolean {
  const [first = ''] = (accept ?? '').split(',');
  return first.includes('as=Table') && first.includes('v=v1;') && first.includes('g=meta.k8s.io');
}
