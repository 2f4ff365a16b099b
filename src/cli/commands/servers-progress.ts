import type { FleetFact } from '../../fleet/fleet.ts';
import type { Server } from '../../fleet/server.ts';
import type { Host } from '../../host/host.ts';
import { printable } from '../../report/printable.ts';
import { table } from '../../report/table.ts';

/** What happens on the servers, for people: on a terminal one table that is gone at the end, elsewhere one line a fact. */
export interface ServersProgress {
  readonly onFact: (fact: FleetFact) => void;
  /** Removes the table. */
  readonly end: () => void;
}

export function serversProgress(
  { talk, clock }: Pick<Host, 'talk' | 'clock'>,
  servers: readonly Server[],
  isScripted: boolean,
): ServersProgress {
  if (!talk.isTTY || isScripted)
    return { onFact: ({ server, said }) => talk.write(`${server}: ${printable(said)}\n`), end: () => {} };
  const rows = new Map<string, Row>(servers.map(({ name }) => [name, { phase: 'waiting', said: '', since: 0 }]));
  const ticking = new AbortController();
  let shown = 0;
  const erase = (): string => (shown === 0 ? '' : `\u001b[${shown}A\u001b[J`);
  const draw = (): void => {
    const lines = picture(rows, clock.monotonicSeconds(), talk.columns);
    talk.write(`${erase()}${lines.map((line) => `${line}\n`).join('')}`);
    shown = lines.length;
  };
  const tick = async (): Promise<void> => {
    while (!ticking.signal.aborted) {
      draw();
      await clock.sleep(1, ticking.signal).catch(() => undefined);
    }
  };
  void tick();
  return {
    onFact: ({ server, phase, said }) => {
      rows.set(server, { phase, said, since: clock.monotonicSeconds() });
      draw();
    },
    end: () => {
      if (ticking.signal.aborted) return;
      ticking.abort();
      talk.write(erase());
    },
  };
}

interface Row {
  readonly phase: FleetFact['phase'] | 'waiting';
  readonly said: string;
  readonly since: number;
}

/** A region that is higher than the screen cannot be erased; a terminal has 24 lines or more. */
const mostRows = 20;

/** Those under way and those that failed, then how many there are of each kind. */
export function picture(rows: ReadonlyMap<string, Row>, now: number, columns: number): readonly string[] {
  const all = [...rows];
  const shown = all.filter(([, row]) => !['waiting', 'done'].includes(kindOf(row))).slice(0, mostRows);
  const cells = shown.map(([name, { phase, said, since }]) => [
    name,
    phase === 'failed' ? '✗' : `${Math.floor(now - since)} s`,
    printable(said),
  ]);
  const counts = Map.groupBy(all, ([, row]) => kindOf(row));
  const summary = [...counts].map(([kind, { length }]) => `${length} ${kind}`).join(', ');
  const lines = cells.length === 0 ? [] : table(cells, { columns: Number.POSITIVE_INFINITY }).split('\n');
  return [...lines, summary].map((line) => clipped(line, columns));
}

function kindOf({ phase }: Row): 'waiting' | 'done' | 'failed' | 'under way' {
  if (phase === 'waiting' || phase === 'ready') return 'waiting';
  return phase === 'done' || phase === 'failed' ? phase : 'under way';
}

/** A line that wraps would make the region higher than it is counted. */
function clipped(line: string, columns: number): string {
  return line.length < columns ? line : `${line.slice(0, Math.max(0, columns - 2))}…`;
}
