import { parseXML } from '@aws-sdk/xml-builder';

/** An element of a response of AWS; a missing member reads as empty. */
export interface Element {
  readonly one: (name: string) => Element;
  readonly all: (name: string) => readonly Element[];
  readonly text: (name: string) => string;
}

/** The root element of a document, by the AWS SDK's parser. */
export function readXml(document: string): Element {
  const [root] = Object.values(parseXML(document) as Record<string, unknown>);
  return element(root);
}

/** The parser returns text as a string, one element of a name as a member, and several as an array. */
function element(value: unknown): Element {
  const members = typeof value === 'object' && value !== null ? (value as Readonly<Record<string, unknown>>) : {};
  const found = (name: string): readonly unknown[] => {
    const member = members[name];
    return member === undefined ? [] : Array.isArray(member) ? member : [member];
  };
  return {
    one: (name) => element(found(name)[0]),
    all: (name) => found(name).map(element),
    text: (name) => String(found(name)[0] ?? ''),
  };
}
