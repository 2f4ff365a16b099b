import type { CommandEntry } from './command/command.ts';
import { shells } from './command/completion-script.ts';
import { deploymentCommands } from './commands/deployment-commands.ts';
import { validationCommands } from './commands/validation-commands.ts';

const completion: CommandEntry = {
  name: 'completion',
  summary: 'print the script with which a shell completes commands and options',
  arguments: [
    { name: '<shell>', summary: `${shells.join(', ')}; source it, as in: source <(holdfast completion bash)` },
  ],
  options: [],
  load: async () => (await import('./completion.ts')).completionOf(allCommands),
};

/** Every command, in the order of `--help`. */
export const allCommands: readonly CommandEntry[] = [...validationCommands, ...deploymentCommands, completion];
