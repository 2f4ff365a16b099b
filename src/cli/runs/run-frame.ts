import { boundedText } from '../../figures/figures.js';
import { printable } from '../../report/printable.ts';
import type { NodeDigest, PodDigest } from '../../validation/record/digest.ts';
import { hangingIndent } from '../command/hanging-indent.ts';
import type { Paint } from '../command/text.ts';
import { elapsed } from '../terminal/elapsed.ts';
import type { LiveDowntime } from '../terminal/live-downtime.ts';
import { stripLine } from '../terminal/probe-strip.ts';
import type { RunView } from './run-view.ts';

/**
 * The live region of a run: the phase, what it waits for, the last probes, the downtime so far, the application's pods
 * and nodes, and what is still to be undone.
 */
export function runFrame(view: RunView, nowAt: number, columns: number, paint: Paint): readonly string[] {
  const fit = (head: string, text: string): readonly string[] =>
    hangingIndent({ columns, isBroken: true }, head, text, 2).split('\n');
  const { phase, predicted } = view;
  if (phase === undefined) return [];
  return [
    ...fit('', `${phase.name}, for ${elapsed(nowAt - phase.since)}`).map(paint.strong),
    ...waitLines(view, nowAt, fit),
    ...(predicted === undefined ? [] : fit('', `predicted: ${predicted}`).map(paint.faint)),
    ...trafficLines(view, columns, paint, fit),
    ...podLines(view, paint, fit),
    ...undoLines(view, paint, fit),
  ];
}

type Fit = (head: string, text: string) => readonly string[];

function waitLines({ wait }: RunView, nowAt: number, fit: Fit): readonly string[] {
  if (wait === undefined) return [];
  return fit(
    '',
    `waits ${printable(wait.what)}: ${elapsed(nowAt - wait.since)} of at most ${elapsed(wait.atMostSeconds * 1000)}`,
  );
}

/** The downtime so far, for the live region of every command that probes. */
export function downtimeLines(downtime: LiveDowntime, paint: Paint, fit: Fit): readonly string[] {
  const now = downtime.now();
  const head = paint.faint('downtime so far ');
  if (now.upperSeconds === 0) return fit(head, paint.good('none'));
  return fit(head, boundedText(now)).map(paint.bad);
}

/** More applications are counted, those that were down before those that were not. */
const mostApplications = 6;

/** The probes and the downtime: of several applications one under the other, each with its name. */
function trafficLines({ applications }: RunView, columns: number, paint: Paint, fit: Fit): readonly string[] {
  const [first] = applications;
  if (first === undefined) return [];
  if (applications.length === 1)
    return [
      ...stripLine(first.strip, columns, paint),
      ...(first.downtime === undefined ? [] : downtimeLines(first.downtime, paint, fit)),
    ];
  const down = applications.filter(({ downtime }) => (downtime?.now().upperSeconds ?? 0) > 0);
  const shown = new Set([...new Set([...down, ...applications])].slice(0, mostApplications));
  const more = applications.length - shown.size;
  const width = Math.max(...[...shown].map(({ name }) => name.length));
  return [
    ...applications
      .filter((one) => shown.has(one))
      .flatMap((one) => [
        ...stripLine(one.strip, columns, paint, one.name.padEnd(width)),
        ...(one.downtime === undefined ? [] : downtimeLines(one.downtime, paint, fit)),
      ]),
    ...(more === 0 ? [] : fit('', paint.faint(`and ${more} more applications`))),
  ];
}

function podLines({ applications, nodes }: RunView, paint: Paint, fit: Fit): readonly string[] {
  const each = applications.map(({ name, pods }) => ({
    name,
    own: [...pods.values()].filter(({ finished }) => finished !== true),
  }));
  const own = each.flatMap((one) => one.own);
  if (own.length === 0) return [];
  const pools = new Set(applications.map(({ settings }) => settings.nodePool.name));
  const used = new Set(own.map(({ node }) => node));
  const shown = [...nodes].filter(
    ([name, { labels }]) => used.has(name) || pools.has(labels['karpenter.sh/nodepool'] ?? ''),
  );
  const pods = each.map((one) => `${each.length === 1 ? '' : `${one.name} `}${counted(one.own.map(podState))}`);
  return [
    ...fit(paint.faint('pods '), pods.join('; ')),
    ...(shown.length === 0 ? [] : fit(paint.faint('nodes '), counted(shown.map(([, node]) => nodeState(node))))),
  ];
}

/** `3: 2 ready, 1 starting`. */
function counted(states: readonly string[]): string {
  const groups = Object.entries(Object.groupBy(states, (state) => state));
  if (states.length === 0) return '0';
  return `${states.length}: ${groups.map(([state, of = []]) => `${of.length} ${state}`).join(', ')}`;
}

function podState({ deletingAt, ready, node }: PodDigest): string {
  if (deletingAt !== undefined) return 'ending';
  if (ready) return 'ready';
  return node === undefined ? 'without a node' : 'starting';
}

function nodeState({ deletingAt, disrupted, cordoned, ready }: NodeDigest): string {
  if (deletingAt !== undefined) return 'being removed';
  if (disrupted) return 'being replaced';
  if (!ready) return 'not ready';
  return cordoned ? 'cordoned' : 'ready';
}

function undoLines({ open }: RunView, paint: Paint, fit: Fit): readonly string[] {
  if (open.size === 0) return [];
  const actions = [...open.values()].map(({ action, subject }) => printable(`${action} of ${subject}`));
  return fit(paint.doubtful('still to undo '), `${actions.length}: ${actions.join('; ')}`).slice(0, mostUndoRows);
}

/** The region stays small; the journal has all of them. */
const mostUndoRows = 3;
