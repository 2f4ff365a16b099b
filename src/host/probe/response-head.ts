import { type BodyFraming, byLength, chunked, type Sink, untilClose } from './body-framing.ts';

/** The head of a response: status, framing of the body, and whether the connection persists. */
export interface ResponseHead {
  readonly status: number;
  /** Whether the connection may carry another request (RFC 9112, section 9.3). */
  readonly keepsAlive: boolean;
  readonly framing: (sink: Sink) => BodyFraming;
  /** Where a redirect leads. */
  readonly location: string | undefined;
  /** How the body is encoded, in the order in which that was done (RFC 9110, section 8.4). */
  readonly codings: readonly string[];
  readonly text: string;
}

/** Parses the text of a head without its final empty line. Undefined if it is not HTTP/1.x or contradicts itself. */
export function responseHead(text: string, method = 'GET'): ResponseHead | undefined {
  const line = /^HTTP\/1\.([01]) ([1-5]\d\d)(?![^ \r\n])/.exec(text);
  if (line === null) return undefined;
  const status = Number(line[2]);
  const fields = fieldsOf(text);
  const framing = framingOf(method, status, fields);
  if (framing === undefined) return undefined;
  const wanted = line[1] === '1' ? !fields.connection.includes('close') : fields.connection.includes('keep-alive');
  return {
    status,
    keepsAlive: wanted && framing !== untilClose,
    framing,
    location: locationIn(text),
    codings: fields['content-encoding'],
    text,
  };
}

const locationField = /\nlocation:[ \t]*([^\r\n]*)/i;
/** Servers write it in UTF-8 where it is not in ASCII; the head is read as Latin-1. */
function locationIn(head: string): string | undefined {
  const found = locationField.exec(head)?.[1];
  return found === undefined ? undefined : Buffer.from(found, 'latin1').toString('utf8');
}

const framingField = /\n(connection|transfer-encoding|content-length|content-encoding):([^\r\n]*)/gi;

type FieldName = 'connection' | 'transfer-encoding' | 'content-length' | 'content-encoding';
type Fields = Readonly<Record<FieldName, readonly string[]>>;

/** The list members of each field, over all its lines, in lower case (RFC 9110, section 5.6.1). */
function fieldsOf(text: string): Fields {
  const fields: Record<FieldName, string[]> = {
    connection: [],
    'transfer-encoding': [],
    'content-length': [],
    'content-encoding': [],
  };
  for (const [, name = '', value = ''] of text.matchAll(framingField))
    fields[name.toLowerCase() as FieldName].push(...value.split(',').map((member) => member.trim().toLowerCase()));
  return fields;
}

/** RFC 9112, section 6.3, for any method but CONNECT. */
function framingOf(method: string, status: number, fields: Fields): ResponseHead['framing'] | undefined {
  if (method === 'HEAD' || status === 204 || status === 304 || status < 200) return (sink) => byLength(0, sink);
  const coding = fields['transfer-encoding'].at(-1);
  if (coding !== undefined) return coding === 'chunked' ? chunked : untilClose;
  const [length, ...others] = new Set(fields['content-length']);
  if (length === undefined) return untilClose;
  return others.length === 0 && /^\d{1,15}$/.test(length) ? (sink) => byLength(Number(length), sink) : undefined;
}

/** All fields of a head by their names in lower case; several of one name are a list (RFC 9110, section 5.3). */
export function allFields(head: string): Readonly<Record<string, string>> {
  const fields = new Map<string, string>();
  for (const [, name = '', value = ''] of head.matchAll(/\n([^\s:]+):[ \t]*([^\r\n]*)/g)) {
    const [key, earlier] = [name.toLowerCase(), fields.get(name.toLowerCase())];
    fields.set(key, earlier === undefined ? value.trimEnd() : `${earlier}, ${value.trimEnd()}`);
  }
  return Object.fromEntries(fields);
}
