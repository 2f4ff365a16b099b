import table from '../../objects/go-messages.json' with { type: 'json' };
import type { Schema } from './definitions.ts';

const messages: Readonly<Record<string, string | undefined>> = table.messages;
const known = new Map<string, ReadonlySet<string> | undefined>();

/**
 * Whether Go's JSON leaves the member out because it is the zero of a type that is no pointer. The table says of which members it does
 * (`omitempty`); an empty text, 0 or false that is a pointer is another thing than none.
 */
export function isOmitted(definition: string, key: string, value: unknown, schema: Schema): boolean {
  if (schema.zero !== undefined || (value !== '' && value !== 0 && value !== false)) return false;
  if (!known.has(definition)) known.set(definition, omittedOf(messageOf(definition)));
  const omitted = known.get(definition);
  // For types that are not in the table this is known only of texts.
  return omitted === undefined ? value === '' && schema.type === 'string' : omitted.has(key);
}

/** `io.k8s.api.core.v1.Container` is `core/v1.Container` in the table. */
function messageOf(definition: string): string {
  return definition
    .replace(/^io\.k8s\.api\.(\w+)\.(\w+)\./, '$1/$2.')
    .replace(/^io\.k8s\.apimachinery\.pkg\.apis\.meta\.(\w+)\./, 'meta/$1.');
}

/** The members of a message, and of its parts, that are left out where they are zero. */
function omittedOf(message: string): ReadonlySet<string> | undefined {
  const rows = messages[message]?.split('; ').filter(Boolean);
  if (rows === undefined) return undefined;
  const names = rows.flatMap((row) => {
    const [, name = '', type = ''] = row.split(' ');
    if (name.startsWith('.')) return [...(omittedOf(type) ?? [])];
    return name.endsWith('?') ? [name.slice(0, -1)] : [];
  });
  return new Set(names);
}
