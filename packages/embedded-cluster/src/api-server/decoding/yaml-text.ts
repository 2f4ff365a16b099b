import { Document, Scalar, visit } from 'yaml';

/**
 * A value as YAML in the form of the API server: sorted keys, lists not indented, literal blocks, lines folded after 80
 * characters.
 */
export function yamlText(value: unknown): string {
  const document = new Document(value, { aliasDuplicateObjects: false, sortMapEntries: true });
  visit(document, { Scalar: (_, node) => quote(node) });
  const text = document.toString({ indentSeq: false, lineWidth: 0, singleQuote: true, minContentWidth: 0 });
  return folded(text);
}

/** Texts that YAML 1.1 would read as something else have double quotes, other texts none where that is possible. */
function quote(node: Scalar): void {
  if (typeof node.value !== 'string') return;
  if (node.value.includes('\n')) node.type = Scalar.BLOCK_LITERAL;
  else node.type = otherType.test(node.value) ? Scalar.QUOTE_DOUBLE : Scalar.PLAIN;
}

const otherType =
  /^(|~|null|y|n|yes|no|on|off|true|false|[-+]?(\d[\d_]*(:[0-5]?\d)*(\.[\d_]*)?([eE][-+]?\d+)?|\.\d[\d_]*|0x[\da-f_]+|0b[01_]+|0o?[0-7_]+|\.inf)|\.nan|\d{4}-\d\d?-\d\d?([Tt ].*)?)$/i;

const widest = 80;

/** Folds the lines of plain and quoted texts as libyaml does: at the first space after the widest column. */
function folded(text: string): string {
  let literalIndent: number | undefined;
  const fold = (line: string): string => {
    const { outer, own } = indentsOf(line);
    if (literalIndent !== undefined && (line === '' || outer > literalIndent)) return line;
    literalIndent = /: [|>][-+\d]*$/.test(line) ? own : undefined;
    return line.length > widest ? foldedLine(line, own) : line;
  };
  return text.split('\n').map(fold).join('\n');
}

/** How far a line is indented, without and with the dashes of lists. */
function indentsOf(line: string): { readonly outer: number; readonly own: number } {
  const [, spaces = '', dashes = ''] = /^( *)((?:- )*)/.exec(line) ?? [];
  return { outer: spaces.length, own: spaces.length + dashes.length };
}

function foldedLine(line: string, indent: number): string {
  const start = /^[ -]*[^:]+: /.exec(line)?.[0].length ?? line.length;
  const pieces: string[] = [];
  let [from, column] = [0, 0];
  for (let at = 0; at < line.length; at += 1, column += 1) {
    const isBreak = line[at] === ' ' && line[at - 1] !== ' ' && line[at + 1] !== ' ' && at >= start;
    if (!isBreak || column <= widest) continue;
    pieces.push(line.slice(from, at));
    from = at + 1;
    column = indent + 1;
  }
  return [...pieces, line.slice(from)].join(`\n${' '.repeat(indent + 2)}`);
}
