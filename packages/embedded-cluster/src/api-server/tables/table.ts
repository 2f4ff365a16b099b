import type { Json } from '../../objects/json.ts';
import type { StoredObject } from '../../objects/objects.ts';
import { partial } from '../representations.ts';
import type { Served } from '../served.ts';
import { clusterCells } from './cluster-cells.ts';
import { columnDefinitions, printerColumns } from './column-definitions.ts';
import { customCell } from './custom-cells.ts';
import { ageAt } from './durations.ts';
import { eventCells } from './event-cells.ts';
import { networkCells } from './network-cells.ts';
import { podCells } from './pod-cells.ts';
import { classNameCell, storageCells } from './storage-cells.ts';
import { workloadCells } from './workload-cells.ts';

/** The objects of a table, and the metadata of their list. */
export interface TableOf {
  readonly served: Served;
  readonly objects: readonly StoredObject[];
  readonly metadata: Json;
  /** Epoch milliseconds. */
  readonly nowAt: number;
  /** What each row has of its object (`includeObject`); absent: its metadata. */
  readonly includeObject?: string | null;
}

/** A Table (meta/v1), which `kubectl get` asks for because the server knows the columns of a kind. */
export function table({ served, objects, metadata, nowAt, includeObject }: TableOf): Json {
  return {
    kind: 'Table',
    apiVersion: 'meta.k8s.io/v1',
    metadata,
    columnDefinitions: columnDefinitions(served),
    rows: objects.map((object) => ({
      cells: cellsOf(served, object, nowAt),
      ...conditionsOf(object),
      object: shown(object, includeObject),
    })),
  };
}

/** The row of a pod that has ended says so (kubernetes, pkg/printers/internalversion/printers.go). */
function conditionsOf({ kind, status }: StoredObject): Json {
  const message = kind === 'Pod' ? endings[String(status?.phase)] : undefined;
  if (message === undefined) return {};
  return { conditions: [{ type: 'Completed', status: 'True', reason: status?.phase, message }] };
}

const endings: Readonly<Record<string, string | undefined>> = {
  Failed: 'The pod failed.',
  Succeeded: 'The pod has completed successfully.',
};

function shown(object: StoredObject, includeObject: string | null | undefined): object | null {
  if (includeObject === 'None') return null;
  return includeObject === 'Object' ? object : partial(object);
}

const cells = { ...clusterCells, ...networkCells, ...storageCells, ...workloadCells };

function cellsOf(served: Served, object: StoredObject, nowAt: number): readonly unknown[] {
  const { name, creationTimestamp } = object.metadata;
  if (served.kind === 'Event') return eventCells(object, nowAt);
  if (served.collection === 'Pod') return podCells(object, nowAt);
  if (served.custom) return [name, ...printerColumns(served).map((column) => customCell(object, column, nowAt))];
  const ofKind = cells[served.collection];
  const named = served.kind === 'StorageClass' ? classNameCell(object) : name;
  return [named, ...(ofKind === undefined ? [ofTime(served, creationTimestamp, nowAt)] : ofKind(object, nowAt))];
}

/** Most kinds without cells of their own have the time of their creation, a few their age. */
function ofTime(served: Served, creationTimestamp: unknown, nowAt: number): unknown {
  const [, second] = columnDefinitions(served);
  return second?.name === 'Age' ? ageAt(creationTimestamp, nowAt) : creationTimestamp;
}

/** Whether the first choice of an Accept header is a Table (`application/json;as=Table;v=v1;g=meta.k8s.io,…`). */
export function wantsTable(accept: string | undefined): boolean {
  const [first = ''] = (accept ?? '').split(',');
  return first.includes('as=Table') && /;v=v1(beta1)?(;|$)/.test(first) && first.includes('g=meta.k8s.io');
}
