// Writes the manual pages and the completion scripts of the shells, from the table of the commands, into a folder.
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { allCommands } from '../src/cli/all-commands.ts';
import { completionScript, shells } from '../src/cli/command/completion-script.ts';
import { globalOptions } from '../src/cli/command/global-options.ts';
import { manPages } from '../src/cli/command/man-page.ts';
import { completed } from '../src/cli/completion.ts';

const today = (): string => new Date().toISOString().slice(0, 10);

export function writeManual(folder: string): void {
  const manifest = JSON.parse(readFileSync(join(import.meta.dirname, '../package.json'), 'utf8'));
  for (const name of ['man', 'completions']) mkdirSync(join(folder, name), { recursive: true });
  for (const [name, text] of manPages(allCommands, globalOptions, { ...manifest, date: today() }))
    writeFileSync(join(folder, 'man', name), text);
  for (const shell of shells)
    writeFileSync(join(folder, 'completions', `holdfast.${shell}`), completionScript(shell, completed(allCommands)));
}
