import { readFileSync } from 'node:fs';
import { gunzipSync } from 'node:zlib';
import type { PrinterColumn } from '../kinds/served-kind.ts';
import type { Served } from '../served.ts';

/** meta/v1 TableColumnDefinition. Columns of a priority above 0 are shown with `-o wide`. */
export interface ColumnDefinition {
  readonly name: string;
  readonly type: string;
  readonly format: string;
  readonly description: string;
  readonly priority: number;
}

type Recorded = Readonly<Record<string, readonly ColumnDefinition[] | undefined>>;

let read: Recorded | undefined;

/** As a kube-apiserver 1.34.4 with Karpenter's definitions answered them. Read at the first table. */
function recorded(): Recorded {
  const file = new URL('columns.json.gz', import.meta.url);
  read ??= JSON.parse(gunzipSync(readFileSync(file)).toString('utf8')) as Recorded;
  return read;
}

/** The columns of a kind: those of its printer or its definition, else name and time of creation. */
export function columnDefinitions(served: Served): readonly ColumnDefinition[] {
  const known = recorded()[served.collection];
  if (known !== undefined) return known;
  return served.custom ? [nameColumn(), ...printerColumns(served).map(ofPrinter)] : plainColumns();
}

/** Name and time of creation, as roles have them. */
function plainColumns(): readonly ColumnDefinition[] {
  return recorded()['Role.rbac.authorization.k8s.io'] ?? [];
}

function nameColumn(): ColumnDefinition {
  return plainColumns()[0] as ColumnDefinition;
}

const jsonPathWords = 'Custom resource definition column (in JSONPath format): ';

/** The columns of a custom resource after its name. */
export function printerColumns(served: Served): readonly PrinterColumn[] {
  const { printerColumns: own = [] } = served;
  const known = recorded()[served.collection];
  if (known !== undefined)
    return known.slice(1).map((column) => ({ ...column, jsonPath: column.description.slice(jsonPathWords.length) }));
  return own.length > 0 ? own : [age()];
}

function age(): PrinterColumn {
  const [, created] = plainColumns();
  return {
    name: 'Age',
    type: 'date',
    jsonPath: '.metadata.creationTimestamp',
    ...(created && { description: created.description }),
  };
}

function ofPrinter({ name, type, format = '', description, priority = 0, jsonPath }: PrinterColumn): ColumnDefinition {
  return { name, type, format, description: description || jsonPathWords + jsonPath, priority };
}
