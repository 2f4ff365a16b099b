import { type Markup, markup } from '../markup.ts';
import type { Span } from '../strip.ts';

/** The x coordinate of an instant in a picture of that span: `12.34%`, so that the picture can have any width. */
export function across(at: number, { from, to }: Span): string {
  const share = Math.min(1, Math.max(0, (at - from) / (to - from)));
  return `${Number((share * 100).toFixed(2))}%`;
}

/** The width of a duration in a picture of that span. */
export const acrossFor = (milliseconds: number, span: Span): string => across(span.from + milliseconds, span);

/**
 * An axis with the time of day (UTC), or with the seconds since `zeroAt` if that is given. Its top is at `y`, its
 * height 20.
 */
export function timeAxis(span: Span, y: number, zeroAt?: number): Markup {
  const stepMs = tickStep(span) * 1000;
  const label =
    zeroAt === undefined ? (at: number) => timeOfDay(at, stepMs) : (at: number) => since(at, zeroAt, stepMs);
  return markup`<g class="axis"><line x1="0" x2="100%" y1="${y}" y2="${y}"/>${ticks(span, stepMs, zeroAt ?? 0).map(
    (at) =>
      markup`<line x1="${across(at, span)}" x2="${across(at, span)}" y1="${y}" y2="${y + 4}"/><text x="${across(at, span)}" y="${y + 16}" class="${edge(at, span)}">${label(at)}</text>`,
  )}</g>`;
}

/** More labels do not fit on a phone. */
const mostTicks = 6;
const steps = [1, 2, 5, 10, 15, 30, 60, 120, 300, 600, 900, 1800, 3600, 7200, 10_800, 21_600, 43_200, 86_400];

function tickStep({ from, to }: Span): number {
  const seconds = (to - from) / 1000;
  const days = Math.ceil(seconds / mostTicks / 86_400);
  return steps.find((step) => seconds / step <= mostTicks) ?? days * 86_400;
}

function ticks({ from, to }: Span, stepMs: number, zeroAt: number): readonly number[] {
  const first = Math.ceil((from - zeroAt) / stepMs);
  const last = Math.floor((to - zeroAt) / stepMs);
  return Array.from({ length: last - first + 1 }, (_, index) => zeroAt + (first + index) * stepMs);
}

function timeOfDay(at: number, stepMs: number): string {
  const iso = new Date(at).toISOString();
  if (stepMs >= 86_400_000) return iso.slice(0, 10);
  return stepMs >= 60_000 ? `${iso.slice(11, 16)}Z` : `${iso.slice(11, 19)}Z`;
}

function since(at: number, zeroAt: number, stepMs: number): string {
  const seconds = (at - zeroAt) / 1000;
  const sign = seconds > 0 ? '+' : '';
  return stepMs >= 120_000 ? `${sign}${seconds / 60} min` : `${sign}${seconds} s`;
}

/** The anchor class that keeps a label at an edge inside the picture. */
function edge(at: number, { from, to }: Span): string {
  const share = (at - from) / (to - from);
  if (share < 0.05) return 'start';
  return share > 0.95 ? 'end' : 'middle';
}
