/** One command of a script, and whether it runs: always, if the one before has succeeded, or if it has failed. */
export interface ScriptCommand {
  readonly words: readonly string[];
  readonly runs: 'always' | 'after success' | 'after failure';
}

const after = { ';': 'always', '\n': 'always', '&&': 'after success', '||': 'after failure' } as const;

/** What has a meaning to the shell that is not read here: expansions, pipes, redirections, groups, jobs, comments. */
const token = /\s*?(&&|\|\||;|\n)|[^\S\n]+|((?:[^\s'"\\;&|<>(){}$`#*?~]|\\[^\n]|'[^']*'|"[^"\\$`]*")+)|([\s\S])/gy;

/** The commands of a shell script that has nothing but simple commands and `;`, `&&`, `||` between them; undefined for any other. */
export function commandsOf(script: string): readonly ScriptCommand[] | undefined {
  const tokens = [...script.matchAll(token)];
  if (tokens.some(([, , , other]) => other !== undefined)) return undefined;
  let [command, ...before]: { words: string[]; runs: ScriptCommand['runs'] }[] = [{ words: [], runs: 'always' }];
  for (const [, separator, word] of tokens) {
    if (word !== undefined) command?.words.push(unquoted(word));
    // A line may end after `&&`.
    if (separator === undefined || command === undefined || command.words.length === 0) continue;
    before = [...before, command];
    command = { words: [], runs: after[separator as keyof typeof after] };
  }
  return [...before, ...(command === undefined || command.words.length === 0 ? [] : [command])];
}

const unquoted = (word: string): string =>
  word.replace(/'([^']*)'|"([^"]*)"|\\(.)/g, (_, single, double, escaped) => single ?? double ?? escaped);
