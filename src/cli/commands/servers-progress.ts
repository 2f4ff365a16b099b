import type { FleetFact } from '../../fleet/fleet.ts';
import type { Server } from '../../fleet/server.ts';
import { printable } from '../../report/printable.ts';
import { table } from '../../report/table.ts';
import { elapsed } from '../terminal/elapsed.ts';
import { lineWriter } from '../terminal/line-writer.ts';
import { openScreen } from '../terminal/open-screen.ts';
import type { Screen, Viewer } from '../terminal/screen.ts';

/**
 * What happens on the servers, for people: on a terminal a line for each that has ended and a table of the others,
 * elsewhere one line a fact.
 */
export interface ServersProgress {
  /** The host for the command: what it says leaves the table whole. */
  readonly host: Screen['host'];
  readonly onFact: (fact: FleetFact) => void;
  /** Removes the table. */
  readonly end: () => void;
}

export function serversProgress(viewer: Viewer, servers: readonly Server[], isScripted: boolean): ServersProgress {
  const { clock } = viewer.host;
  const rows = new Map<string, Row>(servers.map(({ name }) => [name, { phase: 'waiting', said: '', since: 0 }]));
  const frame = (columns: number): readonly string[] => picture(rows, clock.monotonicSeconds(), columns + 1);
  const screen = isScripted ? lineWriter(viewer) : openScreen(viewer, frame);
  return {
    host: screen.host,
    onFact({ server, phase, said }) {
      rows.set(server, { phase, said, since: clock.monotonicSeconds() });
      screen.line(`${server}: ${printable(said)}`);
      const mark = phase === 'done' ? 'good' : phase === 'failed' ? 'bad' : undefined;
      if (mark !== undefined) screen.finished(mark, new Date(clock.wallAt()).toISOString(), `${server}: ${said}`);
      screen.touch();
    },
    end: screen.end,
  };
}

interface Row {
  readonly phase: FleetFact['phase'] | 'waiting';
  readonly said: string;
  readonly since: number;
}

/** The table leaves room for what is said above it; a terminal has 24 lines or more. */
const mostRows = 20;

/** Those under way, then how many there are of each kind. */
export function picture(rows: ReadonlyMap<string, Row>, now: number, columns: number): readonly string[] {
  const all = [...rows];
  const shown = all.filter(([, row]) => kindOf(row) === 'under way').slice(0, mostRows);
  const cells = shown.map(([name, { said, since }]) => [name, elapsed((now - since) * 1000), printable(said)]);
  const counts = Map.groupBy(all, ([, row]) => kindOf(row));
  const summary = [...counts].map(([kind, { length }]) => `${length} ${kind}`).join(', ');
  const lines = cells.length === 0 ? [] : table(cells, { columns: Number.POSITIVE_INFINITY }).split('\n');
  return [...lines, summary].map((line) => clipped(line, columns));
}

function kindOf({ phase }: Row): 'waiting' | 'done' | 'failed' | 'under way' {
  if (phase === 'waiting' || phase === 'ready') return 'waiting';
  return phase === 'done' || phase === 'failed' ? phase : 'under way';
}

/** One row for each server. */
function clipped(line: string, columns: number): string {
  return line.length < columns ? line : `${line.slice(0, Math.max(0, columns - 2))}…`;
}
