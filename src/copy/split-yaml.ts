import { mostCharacters, type Piece, TextFault } from './split-json.ts';

/**
 * The objects of a text of YAML, those of a List one by one, each as text without its indentation, so that a file of
 * any length takes the memory of one object. It finds the items of a List by their lines, as kubectl writes them.
 * Throws a `TextFault` for a List that is cut or an object that is too long.
 */
export async function* objectsInYaml(lines: AsyncIterable<string>): AsyncGenerator<Piece> {
  let document = emptyDocument();
  for await (const line of lines) {
    if (/^---(\s|$)/.test(line)) {
      yield* ended(document);
      document = emptyDocument();
    } else {
      const item = taken(document, line);
      if (item !== undefined) yield { text: item, list: document.outer };
    }
  }
  yield* ended(document);
}

interface Doc {
  outer: string;
  /** The lines of the item that is being read. */
  item: string | undefined;
  /** How far the items are indented; undefined outside of them. */
  indent: number | undefined;
  hadItems: boolean;
}

const emptyDocument = (): Doc => ({ outer: '', item: undefined, indent: undefined, hadItems: false });

/** Adds the line to what it belongs to; the item that it ends. */
function taken(document: Doc, line: string): string | undefined {
  if (document.indent === undefined) {
    if (/^items:\s*$/.test(line)) [document.indent, document.hadItems] = [unknownIndent, true];
    else document.outer = longer(document.outer, line);
    return undefined;
  }
  if (document.indent === unknownIndent) document.indent = /^ *(?=- )/.exec(line)?.[0].length ?? 0;
  return takenInItems(document, line, `${' '.repeat(document.indent)}- `);
}

const unknownIndent = -1;

function takenInItems(document: Doc, line: string, start: string): string | undefined {
  const { item } = document;
  if (line.startsWith(start)) {
    document.item = `${line.slice(start.length)}\n`;
    return item;
  }
  if (/^[^\s#]/.test(line)) {
    [document.item, document.indent] = [undefined, undefined];
    document.outer = longer(document.outer, line);
    return item;
  }
  if (item !== undefined) document.item = longer(item, line.slice(start.length));
  return undefined;
}

function longer(text: string, line: string): string {
  if (text.length + line.length > mostCharacters)
    throw new TextFault(`an object in it is longer than ${mostCharacters / 1024 / 1024} MiB`);
  return `${text}${line}\n`;
}

function* ended({ outer, item, hadItems }: Doc): Generator<Piece> {
  if (item !== undefined) yield { text: item, list: outer };
  // kubectl writes the members by name: `kind` stands behind `items`.
  if (hadItems && !/^kind:/m.test(outer)) throw new TextFault('its List has no end: it was cut');
  if (!hadItems && /^\s*[^\s#]/m.test(outer)) yield { text: outer, list: undefined };
}

/** The lines of a text that comes in chunks. Throws a `TextFault` for one that never ends. */
export async function* linesOf(chunks: AsyncIterable<string>): AsyncGenerator<string> {
  let rest = '';
  for await (const chunk of chunks) {
    const lines = `${rest}${chunk}`.split('\n');
    rest = lines.pop() ?? '';
    if (rest.length > mostCharacters) throw new TextFault('it has a line without an end');
    for (const line of lines) yield line.replace(/\r$/, '');
  }
  if (rest !== '') yield rest;
}
