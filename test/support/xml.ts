/** An element of an XML document, its attributes and texts decoded. */
export interface Element {
  readonly name: string;
  readonly attributes: Readonly<Record<string, string>>;
  readonly children: readonly (Element | string)[];
}

/**
 * Reads the XML that we write: elements, quoted attributes, text, numeric references. Everything else throws, and so do
 * characters that XML 1.0 has not (section 2.2).
 */
export function parseXml(document: string): Element {
  const illegal = /[^\t\n\r\u0020-\uD7FF\uE000-\uFFFD\u{10000}-\u{10FFFF}]/u.exec(document);
  if (illegal !== null) throw new Error(`illegal character at ${illegal.index}`);
  const reader = { text: document.replace(/^(<\?xml [^?]*\?>|<!DOCTYPE html>)\s*/, ''), at: 0 };
  const root = element(reader);
  if (reader.text.slice(reader.at).trim() !== '') throw new Error(`something follows the root: ${here(reader)}`);
  return root;
}

/** Every element of that name, in order. */
export function elements(root: Element, name: string): readonly Element[] {
  const inside = root.children.flatMap((child) => (typeof child === 'string' ? [] : elements(child, name)));
  return root.name === name ? [root, ...inside] : inside;
}

export function textOf({ children }: Element): string {
  return children.map((child) => (typeof child === 'string' ? child : textOf(child))).join('');
}

interface Reader {
  readonly text: string;
  at: number;
}

const here = ({ text, at }: Reader): string => text.slice(at, at + 60);

function take(reader: Reader, pattern: RegExp): RegExpExecArray {
  const sticky = new RegExp(pattern.source, 'uy');
  sticky.lastIndex = reader.at;
  const match = sticky.exec(reader.text);
  if (match === null) throw new Error(`expected ${pattern.source}: ${here(reader)}`);
  reader.at = sticky.lastIndex;
  return match;
}

function element(reader: Reader): Element {
  const name = take(reader, /<([A-Za-z][\w-]*)/)[1] ?? '';
  const attributes = attributesOf(reader);
  if (take(reader, /\/?>/)[0] === '/>') return { name, attributes, children: [] };
  const children = childrenOf(reader, name);
  take(reader, new RegExp(`</${name}>`));
  return { name, attributes, children };
}

function attributesOf(reader: Reader): Readonly<Record<string, string>> {
  const attributes: Record<string, string> = {};
  while (/\s/.test(reader.text[reader.at] ?? '')) {
    const [, key = '', value = ''] = take(reader, /\s+([A-Za-z][\w-]*)="([^"<]*)"/);
    if (key in attributes) throw new Error(`${key} twice: ${here(reader)}`);
    attributes[key] = decoded(value);
  }
  return attributes;
}

/** A style is no text to be decoded. */
function childrenOf(reader: Reader, name: string): readonly (Element | string)[] {
  const children: (Element | string)[] = [];
  for (;;) {
    const [text] = take(reader, /[^<]*/);
    if (text !== '') children.push(name === 'style' ? text : decoded(text));
    if (reader.text.startsWith('</', reader.at)) return children;
    children.push(element(reader));
  }
}

function decoded(text: string): string {
  if (/&(?!#\d+;)/.test(text)) throw new Error(`a bare &: ${text.slice(0, 60)}`);
  return text.replaceAll(/&#(\d+);/g, (_, code: string) => String.fromCodePoint(Number(code)));
}
