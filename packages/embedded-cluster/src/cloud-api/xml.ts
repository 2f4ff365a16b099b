/** An HTTP response whose body is an XML document. */
export interface XmlResponse {
  readonly status: number;
  readonly body: string;
}

/** An XML element with text or child elements; attributes are not kept. */
export interface Element {
  readonly name: string;
  readonly text: string;
  readonly children: readonly Element[];
}

type Content = string | number | readonly string[];

/** `<name>…</name>`. Text is escaped; a list holds elements that are XML already. */
export function tag(name: string, content: Content = [], attributes = ''): string {
  const inside = typeof content === 'object' ? content.join('') : escaped(String(content));
  return `<${name}${attributes}>${inside}</${name}>`;
}

const declaration = '<?xml version="1.0" encoding="UTF-8"?>\n';

/** The document with that root element. */
export const xmlDocument = (root: string): string => declaration + root;

const entities: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' };

function escaped(text: string): string {
  return text.replaceAll(/[&<>"]/g, (character) => entities[character] ?? character);
}

function unescaped(text: string): string {
  return text
    .replaceAll('&lt;', '<')
    .replaceAll('&gt;', '>')
    .replaceAll('&quot;', '"')
    .replaceAll('&apos;', "'")
    .replaceAll(/&#(x?)([0-9A-Fa-f]+);/g, (_, hex, digits) =>
      String.fromCodePoint(Number.parseInt(digits, hex === '' ? 10 : 16)),
    )
    .replaceAll('&amp;', '&');
}

const token = /<\?[^>]*\?>|<(\/?)([\w:.-]+)[^>]*?(\/?)>|([^<]+)/g;

interface Open {
  readonly name: string;
  text: string;
  readonly children: Element[];
}

/**
 * The root element of a small document without comments and namespace prefixes; undefined for text without elements.
 */
export function parseXml(document: string): Element | undefined {
  const root: Open = { name: '', text: '', children: [] };
  const stack: Open[] = [root];
  for (const match of document.matchAll(token)) addToken(stack, match);
  return root.children[0];
}

function addToken(stack: Open[], [, closing, name, selfClosing, text]: RegExpExecArray): void {
  const parent = stack.at(-1);
  if (text !== undefined && parent !== undefined) parent.text += text;
  if (name !== undefined && closing === '') stack.push({ name, text: '', children: [] });
  if (closing === '/' || selfClosing === '/') close(stack);
}

function close(stack: Open[]): void {
  const closed = stack.pop();
  if (closed === undefined) return;
  stack.at(-1)?.children.push({ ...closed, text: unescaped(closed.text).trim() });
}

/** The element at the end of a path of names, taking the first child of each name. */
export function within(element: Element | undefined, ...path: readonly string[]): Element | undefined {
  return path.reduce<Element | undefined>(
    (found, name) => found?.children.find((child) => child.name === name),
    element,
  );
}
