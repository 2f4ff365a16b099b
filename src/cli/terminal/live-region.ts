import type { Clock, Output } from '../../host/host.ts';
import { visible } from '../../host/visible.ts';

/** A few lines at the end of a terminal that are drawn anew as they change, and are gone when the command ends. */
export interface LiveRegion {
  /**
   * Writes text that stays, above the region. A text without a line end, such as a question, hides the region until
   * `show`.
   */
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
/** How often what has waited is drawn. */
const tickSeconds = 0.1;
/** Without any change the times that are shown go on. */
const longestSeconds = 1;

/** With `ticks` the region is drawn anew as time goes on; without it only when something has changed. */
export function liveRegion(
  out: Output,
  clock: Pick<Clock, 'monotonicSeconds' | 'sleep'>,
  frame: Frame,
  ticks: boolean,
): LiveRegion {
  const over = new AbortController();
  const region = drawing(out);
  let drawnSeconds = Number.NEGATIVE_INFINITY;
  let isChanged = true;
  let isHidden = false;
  const draw = (): void => {
    // One column is left free: after the last one a terminal's cursor is between two lines.
    region.draw(frame(Math.max(1, out.columns - 1)));
    drawnSeconds = clock.monotonicSeconds();
    isChanged = false;
  };
  const drawIfDue = (): void => {
    if (over.signal.aborted || isHidden) return;
    const ago = clock.monotonicSeconds() - drawnSeconds;
    if ((isChanged || ago >= longestSeconds) && ago >= shortestSeconds) draw();
  };
  if (ticks) void tick(clock, drawIfDue, over.signal);
  return {
    write(text) {
      region.remove();
      out.write(text);
      isHidden = !text.endsWith('\n');
      isChanged = true;
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
    },
  };
}

/**
 * The lines that are on the screen now. A terminal that has another size by now has moved them: then they are drawn
 * anew, changed or not.
 */
function drawing(out: Output): { draw(lines: readonly string[]): void; remove(): void } {
  let drawn: Drawn | undefined;
  const write = (text: string): void => (out.draw ?? out.write)(text);
  const remove = (): void => {
    if (drawn !== undefined) write(erase());
    drawn = undefined;
  };
  return {
    draw(all) {
      const { columns, rows } = out;
      const lines = all.slice(0, Math.max(1, rows - 1)).map(visible);
      if (lines.length === 0) return remove();
      const place = `${columns} ${rows} ${lines.length}`;
      const text = lines.join('\n');
      const isMoved = drawn?.place !== place;
      if (isMoved || drawn?.text !== text) write(redraw(lines, isMoved));
      drawn = { text, place };
    },
    remove,
  };
}

interface Drawn {
  readonly text: string;
  /** The size of the terminal, and in how many rows the lines are. */
  readonly place: string;
}

async function tick(clock: Pick<Clock, 'sleep'>, drawIfDue: () => void, over: AbortSignal): Promise<void> {
  while (!over.aborted) {
    await clock.sleep(tickSeconds, over).catch(() => undefined);
    drawIfDue();
  }
}

/**
 * What draws the lines in the last rows of the window, in one write (ECMA-48). The cursor is left where the region
 * begins: under the text that stays, with empty rows between. A terminal that wraps the lines anew in another width
 * moves the cursor with its letter, so that the next drawing begins in the right place, however wide the terminal is by
 * then; where they need more rows and push the upper ones out of the window, those are empty. For the same reason each
 * line takes one row whatever the width: what is longer is not wrapped (DECAWM). Only where the lines are in other rows
 * than before (`isMoved`) the region is cleared first, else each line is overwritten before the rest of it is cleared,
 * so that nothing flickers; where the terminal knows synchronized output (private mode 2026) it shows the whole at
 * once.
 */
export function redraw(lines: readonly string[], isMoved: boolean): string {
  const above = lines.length - 1;
  const room = `${'\n'.repeat(above)}${up(above)}`;
  const text = lines.map((line) => `${line}${clearToLineEnd}`).join('\r\n');
  return `${begin}${wrapOff}\r${room}${save}${isMoved ? clear : ''}${bottom}\r${up(above)}${text}${restore}${wrapOn}${end}`;
}

/** What removes all that was drawn below the cursor, which stays. */
export const erase = (): string => `${begin}\r${save}${clear}${restore}${end}`;

const escapeByte = String.fromCharCode(0x1b);
const up = (rows: number): string => (rows > 0 ? `${escapeByte}[${rows}A` : '');
const down = `${escapeByte}[1B`;
/** A cursor that is moved further stops in the last row. */
const bottom = `${escapeByte}[9999B`;
const save = `${escapeByte}7`;
const restore = `${escapeByte}8`;
const clearLine = `${escapeByte}[2K`;
const clearToLineEnd = `${escapeByte}[K`;
const clearBelow = `${escapeByte}[J`;
/**
 * The first row is cleared before those below it: some terminals move a screen that is cleared from its top into the
 * scrollback.
 */
const clear = `${clearLine}${down}${clearBelow}`;
const wrapOff = `${escapeByte}[?7l`;
const wrapOn = `${escapeByte}[?7h`;
const begin = `${escapeByte}[?2026h`;
const end = `${escapeByte}[?2026l`;
