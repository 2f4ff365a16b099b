import { decompressed } from '../host/decompressed.ts';
import { OperationError, UsageError } from '../host/errors.ts';
import type { Files } from '../host/host.ts';
import { copiedObject, type Parsed, parsedJson, parsedYaml } from './copied-object.ts';
import { type CopiedObject, type Copy, keyOf } from './copy.ts';
import { newestInstant } from './newest-instant.ts';
import { filesOf } from './read-files.ts';
import { headerOf, type SnapshotHeader } from './snapshot-format.ts';
import { objectsInJson, TextFault } from './split-json.ts';
import { linesOf, objectsInYaml } from './split-yaml.ts';

/** As many pods as Kubernetes promises to run in one cluster ("Considerations for large clusters"). */
const mostPods = 150_000;
const mostObjects = 3 * mostPods;
/** A dump of that many pods by kubectl; what is decompressed to more is no dump. */
const mostBytes = 8 * 1024 ** 3;
const mostMistakes = 10;

interface Reading {
  readonly files: Pick<Files, 'chunks' | 'list' | 'stat'>;
  readonly limits: { readonly pods: number };
  readonly byKind: Map<string, Map<string, CopiedObject>>;
  readonly mistakes: string[];
  header: SnapshotHeader | undefined;
  objects: number;
  bytes: number;
}

/**
 * The cluster in these files and folders: a snapshot of ours, what kubectl printed as YAML or JSON, the folder of
 * `kubectl cluster-info dump`, a support bundle, a must-gather. Of every object it has what `keptKinds` names. Whatever
 * cannot be read is one `UsageError`, and no file takes more memory than what is kept of it.
 */
export async function readCopy(
  files: Reading['files'],
  paths: readonly string[],
  limits = { pods: mostPods },
): Promise<Copy> {
  const reading: Reading = { files, limits, byKind: new Map(), mistakes: [], header: undefined, objects: 0, bytes: 0 };
  for (const path of paths)
    for (const file of await filesOf(files, path)) {
      await readFile(reading, file);
      if (reading.mistakes.length >= mostMistakes) throw new UsageError(reading.mistakes);
    }
  if (reading.mistakes.length > 0) throw new UsageError(reading.mistakes);
  const copy = copyOf(reading);
  if (!copy.objects.has('Node') && !copy.objects.has('Pod'))
    throw new UsageError([
      `there is no Node and no Pod in ${paths.join(', ')}: name a snapshot, or what kubectl get nodes,pods -A -o yaml printed.`,
    ]);
  return copy;
}

async function readFile(reading: Reading, file: string): Promise<void> {
  try {
    await readObjects(reading, file);
    headerFault(reading, file);
  } catch (error) {
    if (error instanceof TextFault) reading.mistakes.push(`${file}: ${error.message}.`);
    else if (error instanceof OperationError) reading.mistakes.push(`${file}: ${error.failure.reason}.`);
    else throw error;
  }
}

async function readObjects(reading: Reading, file: string): Promise<void> {
  const texts = textOf(reading, decompressed(file, reading.files.chunks(file)));
  const first = await texts.next();
  if (first.done === true) return;
  const whole = again(first.value, texts);
  if (/^[\s\uFEFF]*[[{]/.test(first.value))
    for await (const piece of objectsInJson(whole)) take(reading, file, parsedJson(piece));
  else for await (const piece of objectsInYaml(linesOf(whole))) take(reading, file, await parsedYaml(piece));
}

async function* textOf(reading: Reading, chunks: AsyncIterable<Uint8Array>): AsyncGenerator<string> {
  const decoder = new TextDecoder();
  for await (const chunk of chunks) {
    reading.bytes += chunk.length;
    if (reading.bytes > mostBytes) throw new TextFault(`there are more than ${mostBytes / 1024 ** 3} GiB in it`);
    const text = decoder.decode(chunk, { stream: true });
    if (text.includes('\0')) throw new TextFault('it is neither YAML nor JSON: unpack an archive first');
    yield text;
  }
}

async function* again(first: string, rest: AsyncGenerator<string>): AsyncGenerator<string> {
  yield first;
  yield* rest;
}

function take(reading: Reading, file: string, parsed: Parsed | undefined): void {
  if (parsed === undefined) return;
  const header = headerOf(parsed.value);
  if (header !== undefined) reading.header = header;
  const object = copiedObject(parsed, file);
  if (object !== undefined) keep(reading, object);
}

function keep(reading: Reading, object: CopiedObject): void {
  const ofKind = reading.byKind.get(object.kind) ?? new Map<string, CopiedObject>();
  reading.byKind.set(object.kind, ofKind);
  ofKind.set(keyOf(object), object);
  reading.objects += 1;
  if (object.kind === 'Pod' && ofKind.size > reading.limits.pods)
    throw new TextFault(`there are more than ${reading.limits.pods} pods in it, which no cluster has`);
  if (reading.objects > mostObjects) throw new TextFault(`there are more than ${mostObjects} objects in it`);
}

/** A snapshot says how many objects it has: one that lacks some was cut at the end of a line. */
function headerFault({ header, byKind }: Reading, file: string): void {
  for (const [kind, count] of Object.entries(header?.kinds ?? {})) {
    const found = byKind.get(kind)?.size ?? 0;
    if (found < count) throw new TextFault(`it has ${found} of ${count} objects of kind ${kind}: ${file} was cut`);
  }
}

function copyOf({ byKind, header }: Reading): Copy {
  const inOrder = (ofKind: Map<string, CopiedObject>) =>
    [...ofKind.entries()].toSorted(([a], [b]) => (a < b ? -1 : 1)).map(([, object]) => object);
  const objects = new Map([...byKind].map(([kind, ofKind]) => [kind, inOrder(ofKind)] as const));
  return {
    takenAt: header?.takenAt ?? newestInstant(objects),
    kubernetes: header?.kubernetes,
    objects,
    kindsRead: header && Object.keys(header.kinds),
    namespaces: header?.namespaces ?? [],
  };
}
