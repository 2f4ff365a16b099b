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

/** The lines that are on the screen now. A terminal that has another size by now has moved them: then they are drawn anew, changed or not. */
function drawing(out: Output): { draw(lines: readonly string[]): void; remove(): void } {
  let drawn: Drawn | undefined;
  const remove = (): void => {
    if (drawn !== undefined) out.write(erase());
    drawn = undefined;
  };
  return {
    draw(all) {
      const { columns, rows } = out;
      const lines = all.slice(0, Math.max(1, rows - 1));
      if (lines.length === 0) return remove();
      const place = `${columns} ${rows} ${lines.length}`;
      const text = lines.join('\n');
      const isMoved = drawn?.place !== place;
      if (isMoved || drawn?.text !== text) out.write(redraw(lines, isMoved));
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
