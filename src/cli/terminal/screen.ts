import type { Host } from '../../host/host.ts';
import type { Paint } from '../command/text.ts';

/** Where a command that takes long shows what it does: a live terminal, lines of text, or nowhere. */
export interface Screen {
  /** The host for the command: what it says and asks leaves the live region whole. */
  readonly host: Host;
  /** On a live terminal: something that is finished, as a line that stays. */
  finished(mark: Mark, at: string, sentence: string): void;
  /** Elsewhere: a fact as one line. */
  line(text: string): void;
  /** Begins a part of the output that CI systems can fold, and ends the one before; without a title it only ends it. */
  section(title?: string): void;
  /** What the live region shows has changed. */
  touch(): void;
  /** Removes the live region. */
  end(): void;
}

export type Mark = 'good' | 'bad' | 'unknown' | 'left-out';

/** A shape for each mark, so that no colour is needed to read it. */
export const marks: Readonly<Record<Mark, string>> = { good: '✓', bad: '✗', unknown: '?', 'left-out': '–' };

/** What decides how a screen looks. */
export interface Viewer {
  readonly host: Host;
  readonly environment: Readonly<Record<string, string | undefined>>;
  readonly flags: { readonly quiet: boolean; readonly talkColor?: boolean };
}

/** What the live region shows, painted. */
export type PaintedFrame = (columns: number, paint: Paint) => readonly string[];

/** `10:02:07`: UTC in a run on a cluster, virtual time in a rehearsal. */
export const timeOf = (at: string): string => at.slice(11, 19);

/** The mark in its colour. */
export function paintedMark(mark: Mark, { good, bad, doubtful, faint }: Paint): string {
  return { good, bad, unknown: doubtful, 'left-out': faint }[mark](marks[mark]);
}

/** A terminal that can move its cursor. CI systems may show a terminal, but keep a log. */
export function isLive({ host: { talk }, environment, flags }: Viewer): boolean {
  const { TERM: terminal = 'dumb', GITHUB_ACTIONS: github, GITLAB_CI: gitlab } = environment;
  return !flags.quiet && talk.isTTY && terminal !== 'dumb' && github !== 'true' && gitlab !== 'true';
}
