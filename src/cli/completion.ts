import * as z from 'zod';
import { defects } from '../rehearsal/defects.ts';
import { allScenarios, scenarios } from '../validation/scenarios/index.ts';
import type { CommandEntry, Perform } from './command/command.ts';
import { type Completed, completionScript, shells } from './command/completion-script.ts';
import { exitCodes } from './command/exit-codes.ts';
import { globalOptions, helpOption } from './command/global-options.ts';
import { readFlags } from './command/read-flags.ts';

const schema = z.strictObject({ shell: z.enum(shells) });

/** `completion SHELL`: the script with which a shell completes commands, options, scenarios and defects. */
export function completionOf(entries: readonly CommandEntry[]): Perform {
  return async ({ host, flags }, { operands: [given] }) => {
    const { shell } = readFlags(schema, { shell: given }, ['shell']);
    const script = completionScript(shell, completed(entries));
    host.out.write(flags.json ? `${JSON.stringify({ schemaVersion: 1, shell, script })}\n` : script);
    return exitCodes.done;
  };
}

export function completed(entries: readonly CommandEntry[]): Completed {
  const named = allScenarios.map(({ name }) => name);
  const broken = Object.keys(defects);
  const criteria = [1, 2, 3, 4, 5, 6].map((number) => `criterion-${number}`);
  return {
    entries,
    globalOptions: [...globalOptions, helpOption],
    valuesOf: {
      '--scenario': named,
      'validate --from': scenarios.map(({ name }) => name),
      'plan --from': scenarios.map(({ name }) => name),
      '--defect': broken,
      '--manifests': ['hardened', 'plain', 'none'],
    },
    operandsOf: { explain: [...named, ...criteria, ...broken], completion: shells },
  };
}
