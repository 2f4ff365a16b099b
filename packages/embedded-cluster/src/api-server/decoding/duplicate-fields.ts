import { isPair, isSeq, type Node, type Pair, parseDocument, visit, type YAMLMap } from 'yaml';

/** The members that a JSON text has twice in one object, such as `spec.replicas`; the value is what the text says. */
export function duplicateFields(text: string, value: unknown): readonly string[] {
  if (keysIn(text) === membersIn(value)) return [];
  const duplicates: string[] = [];
  visit(parseDocument(text, { uniqueKeys: false }), {
    Map: (_, map, ancestors) => {
      duplicates.push(...repeatedKeys(map).map((key) => `${fieldOf([...ancestors, map] as Node[])}${key}`));
    },
  });
  return duplicates;
}

function keysIn(text: string): number {
  return text.match(/"(?:[^"\\]|\\.)*"\s*:/gs)?.length ?? 0;
}

function membersIn(value: unknown): number {
  if (typeof value !== 'object' || value === null) return 0;
  const members = Object.values(value);
  return members.reduce(
    (count: number, member) => count + membersIn(member),
    Array.isArray(value) ? 0 : members.length,
  );
}

function repeatedKeys({ items }: YAMLMap): readonly string[] {
  const keys = items.map(({ key }) => String(key));
  return [...new Set(keys.filter((key, index) => keys.indexOf(key) !== index))];
}

/** The path to the last of these nodes, ready for a member's name: `spec.containers[0].`. */
function fieldOf(path: readonly (Node | Pair)[]): string {
  let field = '';
  for (const [index, node] of path.entries()) {
    const before = path[index - 1];
    if (isPair(node)) field += field === '' ? String(node.key) : `.${String(node.key)}`;
    else if (isSeq(before)) field += `[${before.items.indexOf(node)}]`;
  }
  return field === '' ? '' : `${field}.`;
}
