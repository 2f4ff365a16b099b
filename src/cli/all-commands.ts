import type { CommandEntry } from './command/command.ts';
import { shells } from './command/completion-script.ts';
import { deploymentCommands } from './commands/deployment-commands.ts';
import { validationCommands } from './commands/validation-commands.ts';
import { copyCommands } from './copy/copy-commands.ts';

const completion: CommandEntry = {
  name: 'completion',
  summary: 'print the script with which a shell completes commands and options',
  arguments: [
    { name: '<shell>', summary: `${shells.join(', ')}; source it, as in: source <(holdfast completion bash)` },
  ],
  options: [],
  load: async () => (await import('./completion.ts')).completionOf(allCommands),
};

/** One pod of the Job of `load.workers` (docs/decisions/0045-load-by-an-indexed-job.md). */
export const loadWorkerCommand: CommandEntry = {
  name: 'load-worker',
  summary: 'make one worker’s share of a load, as a pod of the Job of load.workers does',
  hidden: true,
  options: [
    { flags: '--url <url>', summary: 'the address' },
    { flags: '--requests <n>', summary: 'requests of all workers together' },
    { flags: '--concurrency <n>', summary: 'requests under way of all workers together' },
    { flags: '--timeout <duration>', summary: 'limit for one request' },
    {
      flags: '--rate <n>',
      summary: 'requests a second of all workers together (default: as fast as they are answered)',
    },
    { flags: '--workers <n>', summary: 'how many workers there are' },
    { flags: '--index <n>', summary: 'which one this is, from 0 (default JOB_COMPLETION_INDEX)' },
    { flags: '--starts-at <file>', summary: 'the file that the common start will stand in, as RFC 3339' },
    { flags: '--report <file>', summary: 'append the report to this file too, in 4096 bytes at most' },
    { flags: '--generator <name>', summary: 'what makes the requests: holdfast (default), k6, vegeta or oha' },
  ],
  load: async () => (await import('./cluster/load-worker.ts')).loadWorker,
};

/** Every command, in the order of `--help`. */
export const allCommands: readonly CommandEntry[] = [
  ...validationCommands,
  ...copyCommands,
  ...deploymentCommands,
  completion,
];
