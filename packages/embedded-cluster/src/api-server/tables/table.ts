import { isJson, type Json } from '../../objects/json.ts';
import type { StoredObject } from '../../objects/objects.ts';
import type { PrinterColumn } from '../kinds/served-kind.ts';
import { partial } from '../representations.ts';
import type { Served } from '../served.ts';
import { clusterCells } from './cluster-cells.ts';
import { columnDefinitions, printerColumns } from './column-definitions.ts';
import { ageAt } from './durations.ts';
import { networkCells } from './network-cells.ts';
import { podCells } from './pod-cells.ts';
import { classNameCell, storageCells } from './storage-cells.ts';
import { countAt, textAt } from './values.ts';
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

/** The cell of a column that a CustomResourceDefinition names; null if nothing is there. */
function customCell(object: StoredObject, { type, jsonPath }: PrinterColumn, nowAt: number): unknown {
  const [value] = valuesAt(object, jsonPath);
  if (value === undefined || value === null) return null;
  if (type === 'date') return ageAt(value, nowAt);
  if (type === 'integer' || type === 'number' || type === 'boolean') return typeof value === 'string' ? null : value;
  return typeof value === 'object' ? JSON.stringify(value) : String(value);
}

/** A step of a path: `.name` (with `\\.` for a dot in it), `[0]`, `[*]` or `[?(@.type=="Ready")]`. */
const step = /\.((?:\\.|[^.[\\])+)|\[(\d+)\]|\[(\*)\]|\[\?\(@\.([\w.]+)\s*==\s*["']([^"']*)["']\)\]/g;

function valuesAt(object: unknown, jsonPath: string): readonly unknown[] {
  let values: readonly unknown[] = [object];
  for (const [, name, ...list] of jsonPath.matchAll(step))
    values = values.flatMap((value) => (name === undefined ? itemsAt(value, list) : memberAt(value, name)));
  return values;
}

function memberAt(value: unknown, name: string): readonly unknown[] {
  return isJson(value) ? [value[name.replaceAll('\\', '')]] : [];
}

function itemsAt(value: unknown, [index, all, key = '', wanted]: readonly (string | undefined)[]): readonly unknown[] {
  if (!Array.isArray(value)) return [];
  if (index !== undefined) return [value[Number(index)]];
  return all === undefined ? value.filter((item) => isJson(item) && item[key] === wanted) : value;
}

/** core/v1 Event (kubernetes, pkg/printers/internalversion/printers.go, printEvent): its name comes last. */
function eventCells(event: StoredObject, nowAt: number): readonly unknown[] {
  const eventTime = textAt(event, 'eventTime', '');
  const first = textAt(event, 'firstTimestamp', eventTime);
  const last = textAt(event, 'series.lastObservedTime', textAt(event, 'lastTimestamp', first));
  const count = countAt(event, 'series.count') || countAt(event, 'count') || 1;
  return [
    ageAt(last, nowAt),
    textAt(event, 'type', ''),
    textAt(event, 'reason', ''),
    objectOf(event),
    textAt(event, 'involvedObject.fieldPath', ''),
    sourceOf(event),
    textAt(event, 'message', '').trim(),
    ageAt(first, nowAt),
    count,
    event.metadata.name,
  ];
}

function objectOf(event: StoredObject): string {
  const name = textAt(event, 'involvedObject.name', '');
  const kind = textAt(event, 'involvedObject.kind', '').toLowerCase();
  return name === '' ? kind : `${kind}/${name}`;
}

function sourceOf(event: StoredObject): string {
  const component = textAt(event, 'source.component', textAt(event, 'reportingComponent', ''));
  const host = textAt(event, 'source.host', textAt(event, 'reportingInstance', ''));
  return host === '' ? component : `${component}, ${host}`;
}
