/** An HTTP response whose body is an XML document. */
export interface XmlResponse {
  readonly status: number;
  readonly body: string;
}

/** An element: its name, and text or other elements. */
export interface Element {
  readonly name: string;
  readonly text: string;
  readonly children: readonly Element[];
}

type Content = string | number | readonly string[];

/** `<name>…</name>`: text is escaped, elements are taken as they are. */
export function tag(name: string, content: Content = [], attributes = ''): string {
  const inside = typeof content === 'object' ? content.join('') : escaped(String(content));
  return `<${name}${attributes}>${inside}</${name}>`;
}

const declaration = '<?xml version="1.0" encoding="UTF-8"?>\n';

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

/** The root element of a small document without comments and namespaces' prefixes; undefined when it is none. */
export function parseXml(document: string): Element | undefined {
  const root: Open = { name: '', text: '', children: [] };
  const stack: Open[] = [root];
  for (const match of document.matchAll(token)) take(stack, match);
  return root.children[0];
}

function take(stack: Open[], [, closing, name, selfClosing, text]: RegExpExecArray): void {
  const parent = stack.at(-1);
  if (text !== undefined && parent !== undefined) parent.text += text;
  if (name !== undefined && closing === '') stack.push({ name, text: '', children: [] });
  if (closing === '/' || selfClosing === '/') close(stack);
}

function close(stack: Open[]): void {
  const done = stack.pop();
  if (done === undefined) return;
  stack.at(-1)?.children.push({ ...done, text: unescaped(done.text).trim() });
}

/** The first child of that name, by the path down to it. */
export function within(element: Element | undefined, ...path: readonly string[]): Element | undefined {
  return path.reduce<Element | undefined>(
    (found, name) => found?.children.find((child) => child.name === name),
    element,
  );
}
