import type { CommandEntry, CommandOption } from './command.ts';

/** Which version of the program, and when its pages were made: `2026-11-20`. */
export interface Made {
  readonly version: string;
  readonly date: string;
}

/** The manual pages in roff (man-pages(7), groff_man(7)), by file name: one of the program, and one of each command. */
export function manPages(
  entries: readonly CommandEntry[],
  globalOptions: readonly CommandOption[],
  { description, ...made }: Made & { readonly description: string },
): ReadonlyMap<string, string> {
  const program = page('holdfast', made, description, [
    section('SYNOPSIS', `.B holdfast\n.I command\n[\\fIoption\\fR ...]`),
    section('DESCRIPTION', roff(description)),
    section(
      'COMMANDS',
      entries.map(({ name, summary }) => item(`\\fBholdfast\\-${roff(name)}\\fR(1)`, summary)).join('\n'),
    ),
    section('OPTIONS', globalOptions.map(optionItem).join('\n')),
    exitStatus,
    section('FILES', item('\\fIholdfast.yaml\\fR', 'the settings; holdfast init writes it with comments')),
  ]);
  const commands = entries.map((entry): [string, string] => [
    `holdfast-${entry.name}.1`,
    commandPage(entry, globalOptions, made),
  ]);
  return new Map([['holdfast.1', program], ...commands]);
}

function commandPage(entry: CommandEntry, globalOptions: readonly CommandOption[], made: Made): string {
  const { name, summary, options } = entry;
  const operands = entry.arguments ?? [];
  const words = operands.map((one) => `.RI ${roff(one.name)}`);
  return page(`holdfast-${name}`, made, summary, [
    section('SYNOPSIS', [`.B holdfast ${roff(name)}`, ...words, '[\\fIoption\\fR ...]'].join('\n')),
    section('DESCRIPTION', roff(sentence(summary))),
    ...(operands.length === 0
      ? []
      : [section('OPERANDS', operands.map((one) => item(`\\fI${roff(one.name)}\\fR`, one.summary)).join('\n'))]),
    section('OPTIONS', [...options, ...globalOptions].map(optionItem).join('\n')),
    exitStatus,
    section('SEE ALSO', '.BR holdfast (1)'),
  ]);
}

const sentence = (text: string): string => `${text.charAt(0).toUpperCase()}${text.slice(1)}.`;

function page(name: string, { version, date }: Made, summary: string, sections: readonly string[]): string {
  const title = `.TH ${name.toUpperCase()} 1 "${date}" "holdfast ${version}" "holdfast manual"`;
  return `${[title, section('NAME', `${roff(name)} \\- ${roff(summary)}`), ...sections].join('\n')}\n`;
}

const section = (heading: string, text: string): string => `.SH "${heading}"\n${text}`;
const item = (tag: string, text: string): string => `.TP\n${tag}\n${roff(sentence(text))}`;
const optionItem = ({ flags, summary }: CommandOption): string => item(`\\fB${roff(flags)}\\fR`, summary);

/** A hyphen that is typed, a backslash, and a dot or apostrophe that begins a line are no text to roff. */
function roff(text: string): string {
  return text
    .replaceAll('\\', '\\e')
    .replaceAll('-', '\\-')
    .replaceAll('’', "'")
    .replaceAll(/^([.'])/gm, '\\&$1');
}

const exitStatus = section(
  'EXIT STATUS',
  [
    ['0', 'done: a pass, a verified deploy, nothing found'],
    ['1', 'a criterion not met, an aborted deploy, a problem found'],
    ['2', 'a mistake on the command line or in the settings'],
    ['3', 'the pre-check stopped the run; a deploy was rolled back and is healthy'],
    ['4', 'inconclusive; a deploy was rolled back and is still unhealthy'],
    ['5', 'something could not be undone; the rollback itself failed'],
    ['6', 'another run holds the lock, or deploys are frozen'],
    ['70', 'a defect of the program'],
    ['128+n', 'stopped by signal n, and undone'],
  ]
    .map(([code = '', meaning = '']) => item(`\\fB${code}\\fR`, meaning))
    .join('\n'),
);
