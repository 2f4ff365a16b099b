import type { Clock, Output } from '../../host/host.ts';
import { erase, redraw } from './redraw.ts';

/** A few lines at the end of a terminal that are drawn anew as they change, and are gone when the command ends. */
export interface LiveRegion {
  /** Writes text that stays, above the region. A text without a line end, such as a question, hides the region until `show`. */
  write(text: string): void;
  /** Something has changed, so that the region is to be drawn anew. */
  touch(): void;
  show(): void;
  end(): void;
}

/** The lines of the region for a screen of that width, none wider. */
export type Frame = (columns: number) => readonly string[];

/** At most 20 redraws a second. */
const shortestSeconds = 0.05;
/** How often a change of the width is looked for, and what has waited is drawn. */
const tickSeconds = 0.1;
/** Without any change the times that are shown go on. */
const longestSeconds = 1;
/** While somebody drags the window nothing is written: the terminal wraps the lines anew, and tells of a new width up to 250 ms later (tmux). */
const resizingSeconds = 0.3;

/** With `ticks` the region is drawn anew as time goes on; without it only when something is told to it. */
export function liveRegion(
  out: Output,
  clock: Pick<Clock, 'monotonicSeconds' | 'sleep'>,
  frame: Frame,
  ticks: boolean,
): LiveRegion {
  const over = new AbortController();
  const isResizing = resizing(out, clock);
  const region = drawing(out);
  let drawnSeconds = Number.NEGATIVE_INFINITY;
  /** Text that has come while the window was resized. */
  let held = '';
  let isChanged = true;
  let isHidden = false;
  const release = (): void => {
    if (held === '') return;
    region.remove();
    out.write(held);
    held = '';
    isChanged = true;
  };
  const draw = (): void => {
    // One column is left free: after the last one a terminal's cursor is between two lines.
    region.draw(frame(Math.max(1, out.columns - 1)));
    drawnSeconds = clock.monotonicSeconds();
    isChanged = false;
  };
  const drawIfDue = (): void => {
    if (over.signal.aborted || isResizing()) return;
    release();
    const ago = clock.monotonicSeconds() - drawnSeconds;
    if ((isChanged || ago >= longestSeconds) && ago >= shortestSeconds && !isHidden) draw();
  };
  if (ticks) void tick(clock, drawIfDue, over.signal);
  return {
    write(text) {
      held += text;
      isHidden = !text.endsWith('\n');
      if (isHidden || !isResizing()) release();
    },
    touch() {
      isChanged = true;
      drawIfDue();
    },
    show() {
      isHidden = false;
    },
    end() {
      if (over.signal.aborted) return;
      over.abort();
      region.remove();
      out.write(held);
      held = '';
    },
  };
}

/** The lines that are on the screen now. */
function drawing(out: Output): { draw(lines: readonly string[]): void; remove(): void } {
  let drawn: readonly string[] = [];
  return {
    draw(lines) {
      if (lines.join('\n') !== drawn.join('\n')) out.write(redraw(drawn, lines, out.columns));
      drawn = lines;
    },
    remove() {
      out.write(erase(drawn, out.columns));
      drawn = [];
    },
  };
}

/** Whether the width has changed a moment ago. */
function resizing(out: Output, { monotonicSeconds }: Pick<Clock, 'monotonicSeconds'>): () => boolean {
  let known = out.columns;
  let since = Number.NEGATIVE_INFINITY;
  return () => {
    const { columns } = out;
    if (columns !== known) since = monotonicSeconds();
    known = columns;
    return monotonicSeconds() - since < resizingSeconds;
  };
}

async function tick(clock: Pick<Clock, 'sleep'>, drawIfDue: () => void, over: AbortSignal): Promise<void> {
  while (!over.aborted) {
    await clock.sleep(tickSeconds, over).catch(() => undefined);
    drawIfDue();
  }
}
