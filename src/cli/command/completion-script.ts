import { Option } from 'commander';
import type { CommandEntry, CommandOption } from './command.ts';

export const shells = ['bash', 'zsh', 'fish'] as const;
export type Shell = (typeof shells)[number];

/**
 * What a shell offers: the commands, the options of each, and the words that an option or an operand takes where they
 * are known.
 */
export interface Completed {
  readonly entries: readonly CommandEntry[];
  readonly globalOptions: readonly CommandOption[];
  /** By the long name of the option, `--scenario`; with its command where others mean another: `validate --from`. */
  readonly valuesOf: Readonly<Record<string, readonly string[]>>;
  /** By the command: what `explain` takes. */
  readonly operandsOf: Readonly<Record<string, readonly string[]>>;
}

/** The script that a shell reads. Where no words are known the shell offers files. */
export function completionScript(shell: Shell, completed: Completed): string {
  return { bash, zsh, fish }[shell](completed);
}

/** `-H, --header <header>` has the names `-H` and `--header`, and takes a word. */
function partsOf({ flags, summary }: CommandOption) {
  const { short, long = '', required } = new Option(flags, summary);
  return { names: [...(short === undefined ? [] : [short]), long], long, takesWord: required };
}

/** Of an option of a command; undefined where its value is free. */
const wordsOf = ({ valuesOf }: Completed, command: string, long: string): readonly string[] | undefined =>
  valuesOf[`${command} ${long}`] ?? valuesOf[long];

const quoted = (text: string): string => `'${text.replaceAll("'", "'\\''")}'`;

function bash(completed: Completed): string {
  const { entries, globalOptions, valuesOf, operandsOf } = completed;
  const global = globalOptions.flatMap((option) => partsOf(option).names).join(' ');
  const commands = entries.map(({ name, options }) => {
    const own = options.flatMap((option) => partsOf(option).names);
    return `    ${name}) words=${quoted([...own, global].join(' '))} operands=${quoted((operandsOf[name] ?? []).join(' '))} ;;`;
  });
  const values = Object.entries(valuesOf).map(
    ([option, words]) =>
      `    *${option.includes(' ') ? quoted(option) : quoted(` ${option}`)}) words=${quoted(words.join(' '))} ;;`,
  );
  const all = [{ name: '', options: globalOptions }, ...entries];
  const free = all.flatMap(({ name, options }) =>
    options.map(partsOf).filter(({ long, takesWord }) => takesWord && wordsOf(completed, name, long) === undefined),
  );
  const freeNames = [...new Set(free.flatMap(({ names }) => names))].map((name) => `*' ${name}'`).join('|');
  return `# bash completion of holdfast: source <(holdfast completion bash)
_holdfast() {
  local current=\${COMP_WORDS[COMP_CWORD]} before=\${COMP_WORDS[COMP_CWORD-1]} command= word words= operands=
  for word in "\${COMP_WORDS[@]:1:COMP_CWORD-1}"; do
    case $word in ${entries.map(({ name }) => name).join('|')}) command=$word; break ;; esac
  done
  case "$command $before" in
${values.join('\n')}
    ${freeNames}) return ;; # of the user's own: the shell offers files
  esac
  local given=$words
  [ -n "$words" ] || case $command in
    '') words=${quoted(`${entries.map(({ name }) => name).join(' ')} help ${global}`)} ;;
${commands.join('\n')}
  esac
  # Where no operands are known the shell offers files.
  case $command:$current in :* | *:-*) ;; *) [ -n "$given" ] || words=$operands ;; esac
  COMPREPLY=($(compgen -W "$words" -- "$current"))
}
complete -o default -F _holdfast holdfast
`;
}

/** A colon divides a word from its description, and brackets surround one. */
const described = (text: string): string => text.replaceAll(/[[\]:\\]/g, '\\$&');

function zsh(completed: Completed): string {
  const { entries, globalOptions, operandsOf } = completed;
  const specOf =
    (command: string) =>
    (option: CommandOption): readonly string[] => {
      const { names, long, takesWord } = partsOf(option);
      const words = wordsOf(completed, command, long);
      const value = takesWord ? `:${long.slice(2)}:${words === undefined ? '_files' : `(${words.join(' ')})`}` : '';
      return names.map((name) => quoted(`*${name}[${described(option.summary)}]${value}`));
    };
  const global = globalOptions.flatMap(specOf(''));
  const cases = entries.map(({ name, options }) => {
    const operands = operandsOf[name];
    const rest = quoted(`*:operand:${operands === undefined ? '_files' : `(${operands.join(' ')})`}`);
    return `    ${name}) _arguments ${[...options.flatMap(specOf(name)), ...global, rest].join(' ')} ;;`;
  });
  const commands = entries.map(({ name, summary }) => `    ${quoted(`${name}:${described(summary)}`)}`);
  return `#compdef holdfast
# zsh completion of holdfast: source <(holdfast completion zsh), or as _holdfast in a folder of $fpath
_holdfast() {
  local -a commands=(
${commands.join('\n')}
  )
  if (( CURRENT == 2 )); then
    _describe command commands
    return
  fi
  local command=$words[2]
  shift words
  (( CURRENT-- ))
  case $command in
${cases.join('\n')}
  esac
}
if [ "$funcstack[1]" = _holdfast ]; then _holdfast "$@"; else compdef _holdfast holdfast; fi
`;
}

function fish(completed: Completed): string {
  const { entries, globalOptions, operandsOf } = completed;
  const optionLine = (option: CommandOption, only: string, command = ''): string => {
    const { names, long, takesWord } = partsOf(option);
    const flags = names.map((name) => (name.startsWith('--') ? `-l ${name.slice(2)}` : `-s ${name.slice(1)}`));
    const words = wordsOf(completed, command, long);
    const value = !takesWord ? '' : words === undefined ? ' -r' : ` -x -a ${quoted(words.join(' '))}`;
    return `complete -c holdfast${only} ${flags.join(' ')}${value} -d ${quoted(option.summary)}`;
  };
  const lines = entries.flatMap(({ name, summary, options }) => {
    const only = ` -n '__fish_seen_subcommand_from ${name}'`;
    const operands = operandsOf[name];
    return [
      `complete -c holdfast -n __fish_use_subcommand -f -a ${name} -d ${quoted(summary)}`,
      ...(operands === undefined ? [] : [`complete -c holdfast${only} -f -a ${quoted(operands.join(' '))}`]),
      ...options.map((option) => optionLine(option, only, name)),
    ];
  });
  const global = globalOptions.map((option) => optionLine(option, ''));
  return `# fish completion of holdfast: holdfast completion fish | source\n${[...global, ...lines].join('\n')}\n`;
}
