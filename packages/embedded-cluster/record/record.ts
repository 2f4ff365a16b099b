// npm run record -- kubernetes VERSION | karpenter CHECKOUT | ec2 CHECKOUT
// Writes the generated files of src/ again: see README.md in this folder.
import { readFileSync, writeFileSync } from 'node:fs';
import { argv, exit, stderr, stdout } from 'node:process';
import { gunzipSync, gzipSync } from 'node:zlib';
import { builtIn } from '../src/api-server/served.ts';
import { instanceTypesOf } from './ec2.ts';
import { customSchemasOf } from './karpenter.ts';
import { columnsOf, definitionsOf, goTypesOf, type Schemas, sourcesOf } from './kubernetes.ts';

const files = {
  definitions: '../src/api-server/decoding/definitions.json.gz',
  columns: '../src/api-server/tables/columns.json.gz',
  messages: '../src/objects/go-messages.json',
  template: '../src/workloads/template-types.json',
  instanceTypes: '../src/machines/ec2-instance-types.json',
} as const;

const recorders: Readonly<Record<string, (from: string) => void>> = {
  kubernetes(version) {
    const { kinds, messages, template } = goTypesOf(version);
    const { custom, definitions } = readPacked(files.definitions) as Readonly<Record<string, Schemas>>;
    writePacked(files.definitions, { ...definitionsOf(sourcesOf(version), definitions ?? {}), custom });
    write(files.messages, `${JSON.stringify({ kinds, messages }, null, 2)}\n`);
    write(files.template, `${JSON.stringify(template, null, 2)}\n`);
    writePacked(files.columns, columnsByCollection(columnsOf(version)));
  },
  karpenter(checkout) {
    writePacked(files.definitions, { ...(readPacked(files.definitions) as object), custom: customSchemasOf(checkout) });
  },
  ec2(checkout) {
    write(files.instanceTypes, instanceTypesOf(checkout));
  },
};

/** Of a kind that has no printer, such as a custom one, the columns that an API server was seen to answer stay. */
function columnsByCollection(columns: Readonly<Record<string, unknown>>): Readonly<Record<string, unknown>> {
  const before = readPacked(files.columns) as Readonly<Record<string, unknown>>;
  const named = builtIn.map(({ kind, collection }) => [collection, columns[kind] ?? before[collection]] as const);
  return Object.fromEntries(named.filter(([, own]) => own !== undefined).toSorted(([a], [b]) => (a < b ? -1 : 1)));
}

const readPacked = (file: string): unknown =>
  JSON.parse(gunzipSync(readFileSync(new URL(file, import.meta.url))).toString('utf8'));

function writePacked(file: string, value: unknown): void {
  const text = JSON.stringify(value);
  // Two versions of zlib pack one text into different bytes.
  if (text === JSON.stringify(readPacked(file))) stdout.write(`${file.slice(3)} is the same\n`);
  else write(file, gzipSync(text, { level: 9 }));
}

function write(file: string, content: string | Uint8Array): void {
  writeFileSync(new URL(file, import.meta.url), content);
  stdout.write(`wrote ${file.slice(3)}\n`);
}

const [what = '', from, ...others] = argv.slice(2);
const record = recorders[what];
if (record === undefined || from === undefined || others.length > 0) {
  stderr.write('usage: npm run record -- kubernetes VERSION | karpenter CHECKOUT | ec2 CHECKOUT\n');
  exit(2);
}
record(from);
