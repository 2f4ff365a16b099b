import type { Appender, Host } from '../../host/host.ts';
import type { Tag } from '../record/states.ts';
import { indented, plain } from './plain.ts';
import { linesOn, type RunWatch } from './watch.ts';

/**
 * The deployment log (docs/contract.md, "The deployment log"): append-only text in which only holdfast can write a tag.
 */
export interface DeploymentLog {
  /** One tagged line, written to standard error as well. */
  line(tag: Tag, text: string): Promise<void>;
  /** Output of a command: every line is indented, so that it can never look like a tag. */
  output(text: string): Promise<void>;
  /** A text without secrets, for what is written elsewhere than in the log. */
  redact(text: string): string;
  /** Writes what was held back; from then on nothing is held back. */
  release(): Promise<void>;
  /** Replaces all lines that are held back, the completion line included, by this one. No effect after `release`. */
  condense(tag: Tag, text: string): void;
  /** The completion line and the empty line; closes the file. */
  complete(): Promise<void>;
}

/**
 * Opens the log and holds its text back until the first `release`: a deploy that is refused because another one runs
 * writes its whole block at once, never between the lines of the other. Rejects with an `OperationError` when the
 * log cannot be written.
 */
export async function openDeploymentLog(
  host: Pick<Host, 'files' | 'clock' | 'talk'>,
  path: string,
  redact: (text: string) => string,
  watch: Pick<RunWatch, 'logged'> = linesOn(host.talk),
): Promise<DeploymentLog> {
  const appender = await host.files.append(path, { mode: 0o640 });
  const now = (): string => new Date(host.clock.wallAt()).toISOString().replace(/\.\d+Z$/, 'Z');
  const write = writeUntilFull(appender, host, path);
  let held: string | undefined = `===== Deployment started ${now()} =====\n`;
  let isCondensed = false;
  const safe = (text: string): string => redact(plain(text)).replaceAll('\n', ' ');
  const lineOf = (tag: Tag, text: string): string => `[${tag}] ${safe(text)}\n`;
  const append = async (text: string): Promise<void> => {
    if (held === undefined) await write(text);
    else held += text;
  };
  const release = async (): Promise<void> => {
    const text = held ?? '';
    held = undefined;
    if (text !== '') await write(text);
  };
  return {
    async line(tag, text) {
      watch.logged(tag, safe(text));
      await append(lineOf(tag, text));
    },
    output: (text) => append(indented(redact(plain(text)))),
    redact,
    release,
    condense(tag, text) {
      if (held === undefined) return;
      held = lineOf(tag, `${text} (${now()})`);
      isCondensed = true;
    },
    async complete() {
      if (!isCondensed) await append(`===== Deployment completed ${now()} =====\n\n`);
      await release();
      await appender.close();
    },
  };
}

/**
 * A log on a full disk must not stop a deploy half-way: the failure is reported once on standard error, and the deploy
 * goes on.
 */
function writeUntilFull(appender: Appender, host: Pick<Host, 'talk'>, path: string) {
  let isReported = false;
  return async (text: string): Promise<void> => {
    try {
      await appender.write(text);
    } catch (error) {
      if (!isReported) host.talk.write(`The deployment log ${path} can no longer be written: ${String(error)}\n`);
      isReported = true;
    }
  };
}
