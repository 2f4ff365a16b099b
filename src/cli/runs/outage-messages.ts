import { readableDuration } from '../../figures/figures.js';
import type { Message } from '../../notification/notifier.ts';
import { printable } from '../../report/printable.ts';
import type { Turn } from '../../validation/monitor/outage-watch.ts';

const clock = (at: number): string => new Date(at).toISOString().slice(11, 19);

/** `http://a/ is down since 10:00:03 UTC: 503`, and when it is up again for how long it was down. */
export function turnText(turn: Turn): string {
  const target = printable(turn.target);
  if (turn.type === 'down') return `${target} is down since ${clock(turn.from)} UTC: ${turn.kind}`;
  const seconds = (turn.to - turn.from) / 1000;
  return `${target} is up again since ${clock(turn.to)} UTC, after ${readableDuration(seconds)} down: ${turn.kinds.join(', ')}`;
}

/** Turns that came together are one message. */
export function turnsMessage(turns: readonly Turn[]): Message {
  const [only, ...more] = turns;
  const down = turns.filter(({ type }) => type === 'down').length;
  const counts = [
    ...(down === 0 ? [] : [`${down} of the targets ${down === 1 ? 'is' : 'are'} down`]),
    ...(down === turns.length ? [] : [`${turns.length - down} up again`]),
  ];
  const text = only !== undefined && more.length === 0 ? turnText(only) : counts.join(', ');
  const details = turns.map((turn) => ({ name: printable(turn.target), value: turnText(turn) }));
  return { text, details, document: { schemaVersion: 1, monitor: turns.map(documentOf) } };
}

const iso = (at: number): string => new Date(at).toISOString();

function documentOf(turn: Turn) {
  const { type: state, target, from } = turn;
  return turn.type === 'down'
    ? { state, target, from: iso(from), kinds: [turn.kind] }
    : { state, target, from: iso(from), to: iso(turn.to), kinds: turn.kinds };
}
