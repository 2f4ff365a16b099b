/** One object of a file, as text, and what its List says of itself so far. */
export interface Piece {
  readonly text: string;
  /** The text of the List around it up to here, less its items; undefined if the object stands alone. */
  readonly list: string | undefined;
}

/** What is wrong with the text: one sentence without its full stop, to stand behind the name of the file. */
export class TextFault extends Error {
  override readonly name = 'TextFault';
}

/** etcd refuses an object of more than 1.5 MiB (--max-request-bytes); indented it can be several times as long. */
export const mostCharacters = 16 * 1024 * 1024;
/** No object of Kubernetes is half as deep. */
const deepest = 100;

interface Scan {
  depth: number;
  inText: boolean;
  escaped: boolean;
  /** The characters since the last piece, of the object around the items and of the item. */
  outer: string;
  item: string;
  /** Where in the current chunk what is not stored yet begins. */
  from: number;
  /** The depth of the items; 0 outside of them. */
  itemsAt: number;
  hadItems: boolean;
  /** The last text in the outermost object, and where it began in this chunk and the one before. */
  lastName: string;
  nameFrom: number;
  nameBefore: string;
}

const fresh = (): Scan => ({
  depth: 0,
  inText: false,
  escaped: false,
  outer: '',
  item: '',
  from: 0,
  itemsAt: 0,
  hadItems: false,
  lastName: '',
  nameFrom: 0,
  nameBefore: '',
});

/**
 * The objects of JSON texts one behind the other: those of a List or of a list one by one, so that a file of any length
 * takes the memory of one object. Throws a `TextFault` for text that is cut or has an object that is too long or deep.
 */
export async function* objectsInJson(chunks: AsyncIterable<string>): AsyncGenerator<Piece> {
  const scan = fresh();
  for await (const chunk of chunks) yield* scanned(scan, chunk);
  if (scan.depth > 0 || scan.inText) throw new TextFault('it ends in the middle of an object: it was cut');
}

function* scanned(scan: Scan, chunk: string): Generator<Piece> {
  scan.from = 0;
  scan.nameFrom = 0;
  for (let at = nextAt(scan, chunk, 0); at < chunk.length; at = nextAt(scan, chunk, at + 1)) {
    const piece = met(scan, chunk, at);
    if (piece !== undefined) yield piece;
  }
  if (scan.inText) scan.nameBefore = `${scan.nameBefore}${chunk.slice(scan.nameFrom, scan.nameFrom + 8)}`.slice(0, 8);
  store(scan, chunk, chunk.length);
}

const structure = /["{}[\]]/g;
const endOfText = /["\\]/g;

/** The next character that means something; the end of the chunk if there is none. */
function nextAt(scan: Scan, chunk: string, from: number): number {
  if (scan.escaped && from < chunk.length) {
    scan.escaped = false;
    return nextAt(scan, chunk, from + 1);
  }
  const wanted = scan.inText ? endOfText : structure;
  wanted.lastIndex = from;
  const at = wanted.exec(chunk)?.index ?? chunk.length;
  if (scan.depth === 0 && chunk.slice(from, at).trim() !== '') throw new TextFault(notJson);
  return at;
}

const notJson = 'it is not JSON';

function met(scan: Scan, chunk: string, at: number): Piece | undefined {
  const character = chunk[at] ?? '';
  if (character === '\\') scan.escaped = true;
  else if (character === '"') quoted(scan, chunk, at);
  else if (character === '{' || character === '[') opens(scan, chunk, at, character);
  else return closes(scan, chunk, at);
  return undefined;
}

function quoted(scan: Scan, chunk: string, at: number): void {
  if (scan.inText && scan.depth === 1) scan.lastName = `${scan.nameBefore}${chunk.slice(scan.nameFrom, at)}`;
  [scan.nameFrom, scan.nameBefore] = [at + 1, ''];
  scan.inText = !scan.inText;
}

function opens(scan: Scan, chunk: string, at: number, character: string): void {
  const isList = character === '[' && (scan.depth === 0 || (scan.depth === 1 && scan.lastName === 'items'));
  if (scan.itemsAt === scan.depth && scan.itemsAt > 0) store(scan, chunk, at);
  scan.depth += 1;
  if (scan.depth > deepest) throw new TextFault(`an object in it is more than ${deepest} levels deep`);
  if (!isList || scan.itemsAt > 0) return;
  store(scan, chunk, at + 1);
  [scan.itemsAt, scan.hadItems, scan.item] = [scan.depth, true, ''];
}

function closes(scan: Scan, chunk: string, at: number): Piece | undefined {
  if (scan.depth === 0) throw new TextFault(notJson);
  if (scan.depth === scan.itemsAt) {
    store(scan, chunk, at);
    scan.itemsAt = 0;
  }
  scan.depth -= 1;
  if (scan.itemsAt > 0 && scan.depth === scan.itemsAt) {
    store(scan, chunk, at + 1);
    const text = scan.item;
    scan.item = '';
    return { text: text.slice(text.indexOf('{')), list: scan.outer };
  }
  return scan.depth === 0 ? ended(scan, chunk, at) : undefined;
}

function ended(scan: Scan, chunk: string, at: number): Piece | undefined {
  store(scan, chunk, at + 1);
  const piece = scan.hadItems ? undefined : { text: scan.outer, list: undefined };
  Object.assign(scan, { ...fresh(), from: scan.from });
  return piece;
}

/** Keeps the characters up to that index with what they belong to. */
function store(scan: Scan, chunk: string, to: number): void {
  const text = chunk.slice(scan.from, to);
  scan.from = to;
  if (scan.itemsAt > 0) scan.item += text;
  else scan.outer += text;
  if (scan.item.length > mostCharacters || scan.outer.length > mostCharacters)
    throw new TextFault(`an object in it is longer than ${mostCharacters / 1024 / 1024} MiB`);
}
