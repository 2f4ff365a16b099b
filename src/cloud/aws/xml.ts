import { parseXML } from '@aws-sdk/xml-builder';
import { OperationError } from '../../host/errors.ts';

/** An element of a response of AWS; a missing member reads as empty. */
export interface Element {
  readonly one: (name: string) => Element;
  readonly all: (name: string) => readonly Element[];
  readonly text: (name: string) => string;
  /** The text of each element of that name. */
  readonly texts: (name: string) => readonly string[];
}

/** An element with children has no text of its own. */
const textOf = (value: unknown): string => (typeof value === 'string' ? value : '');

/** The root element of a document, by the AWS SDK's parser; what is not XML is an `OperationError`. */
export function readXml(document: string): Element {
  const root = rootOf(document);
  if (root !== undefined) return root[1];
  const reason = `it is not XML: ${document.slice(0, 200)}`;
  throw new OperationError({ tried: 'Reading', on: 'an answer of AWS', reason });
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
    text: (name) => textOf(found(name)[0]),
    texts: (name) => found(name).map(textOf),
  };
}

/** What an answer says of an error, in each of AWS's four forms; empty where it says nothing. */
export function errorOf(document: string): { readonly code: string; readonly message: string } {
  const root = rootOf(document);
  if (root === undefined) return { code: '', message: '' };
  const [name, body] = root;
  // Route 53: a batch that it refuses has no Error, but a list of what is wrong.
  if (name === 'InvalidChangeBatch')
    return { code: name, message: body.one('Messages').texts('Message').join('; ') || body.text('message') };
  const inside = name === 'Response' ? body.one('Errors').one('Error') : body.one('Error');
  const error = name === 'Error' ? body : inside;
  return { code: error.text('Code'), message: error.text('Message') };
}

/** Undefined where the document is not XML: a proxy's page, or nothing. */
function rootOf(document: string): readonly [string, Element] | undefined {
  try {
    const [root] = Object.entries(parseXML(document) as Record<string, unknown>);
    return root === undefined ? undefined : [root[0], element(root[1])];
  } catch {
    return undefined;
  }
}
