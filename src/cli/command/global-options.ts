import type { CommandOption } from './command.ts';

/** The options of every command. */
export const globalOptions: readonly CommandOption[] = [
  { flags: '--config <file>', summary: 'settings file (default: ./holdfast.yaml if it exists)' },
  { flags: '--json', summary: 'print the result as one JSON document' },
  { flags: '--quiet', summary: 'print no progress' },
  { flags: '--verbose', summary: 'print the stack trace of a defect, and every option of git in a dry run' },
  {
    flags: '--no-color',
    summary: 'print no colours (also NO_COLOR; FORCE_COLOR=1 prints them without a terminal too)',
  },
];

/** These end the program. */
export const versionOption: CommandOption = { flags: '--version', summary: 'print the version' };
export const helpOption: CommandOption = { flags: '-h, --help', summary: 'print this help' };
