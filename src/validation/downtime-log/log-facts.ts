import type { ConnectionUse } from '../../host/host.ts';
import { type Column, parseColumns } from '../loop-log/columns.ts';
import { words } from './downtime-log.ts';

/**
 * A fact about the monitor itself, a `#` line of its log (docs/contract.md, "The downtime log"). Instants are epoch
 * milliseconds.
 */
export type LogFact =
  /** At these ticks no target was probed. */
  | { readonly type: 'missed'; readonly ticks: number; readonly from: number; readonly reason: string }
  | UnknownProbe
  /** The monitor did not run, or its machine slept: probes under way then took longer than the target needed. */
  | { readonly type: 'stall'; readonly seconds: number; readonly from: number }
  /** The wall clock was set: the times after this line are the new clock's. */
  | { readonly type: 'clock-step'; readonly seconds: number }
  /** How far the API server's clock is ahead of this one's. */
  | { readonly type: 'clock-offset'; readonly seconds: number; readonly uncertaintySeconds: number }
  /** What the columns of a loop's lines hold, as the run that followed them learnt it. */
  | { readonly type: 'columns'; readonly columns: readonly Column[] }
  /** From here on there are no probes of the edges. */
  | { readonly type: 'edges-off'; readonly reason: string }
  /** The certificate of that target ends soon; once a day. */
  | { readonly type: 'certificate'; readonly target: string; readonly endsAt: number }
  | { readonly type: 'end'; readonly at: number };

/** A probe that ended after the monitor did, or that this machine could not make. */
export interface UnknownProbe {
  readonly type: 'unknown';
  readonly from: number;
  readonly reason: string;
  readonly connection: ConnectionUse;
  readonly target?: string;
}

/** With the line end. */
export function formatFact(fact: LogFact): string {
  switch (fact.type) {
    case 'missed':
      return `# missed ${fact.ticks} from=${iso(fact.from)} reason=${fact.reason}\n`;
    case 'unknown': {
      const connection = fact.connection === 'new' ? '' : ` connection=${fact.connection}`;
      const target = fact.target === undefined ? '' : ` target=${fact.target}`;
      return `# unknown 1 from=${iso(fact.from)} reason=${fact.reason}${connection}${target}\n`;
    }
    case 'stall':
      return `# stall ${fact.seconds.toFixed(3)} from=${iso(fact.from)}\n`;
    case 'clock-step':
      return `# clock-step ${fact.seconds.toFixed(3)}\n`;
    case 'clock-offset':
      return `# clock-offset ${fact.seconds.toFixed(3)} uncertainty=${fact.uncertaintySeconds.toFixed(3)}\n`;
    case 'columns':
      return `# columns ${fact.columns.join()}\n`;
    case 'edges-off':
      return `# edges-off reason=${fact.reason}\n`;
    case 'certificate':
      return `# certificate ends=${iso(fact.endsAt)} target=${fact.target}\n`;
    case 'end':
      return `# end at=${iso(fact.at)}\n`;
  }
}

/** A word that is no amount. */
function columnsIn(text: string): LogFact | undefined {
  const read = parseColumns(text);
  return 'columns' in read && !('mistake' in read) ? { type: 'columns', columns: read.columns } : undefined;
}

type Values = Readonly<Record<string, string | undefined>>;

const parsers: Readonly<Record<string, (amount: number, values: Values) => LogFact | undefined>> = {
  missed: (ticks, { from, reason = '' }) =>
    Number.isInteger(ticks) && ticks > 0 && isInstant(from)
      ? { type: 'missed', ticks, from: Date.parse(from), reason }
      : undefined,
  unknown: (_, { from, reason = '', connection, target }) =>
    isInstant(from)
      ? {
          type: 'unknown',
          from: Date.parse(from),
          reason,
          connection: connection === 'reused' ? 'reused' : 'new',
          ...(target === undefined ? {} : { target }),
        }
      : undefined,
  stall: (seconds, { from }) =>
    seconds > 0 && isInstant(from) ? { type: 'stall', seconds, from: Date.parse(from) } : undefined,
  'clock-step': (seconds) => (Number.isFinite(seconds) ? { type: 'clock-step', seconds } : undefined),
  'clock-offset': (seconds, { uncertainty }) =>
    Number.isFinite(seconds) && Number.isFinite(Number(uncertainty))
      ? { type: 'clock-offset', seconds, uncertaintySeconds: Number(uncertainty) }
      : undefined,
  'edges-off': (_, { reason = '' }) => ({ type: 'edges-off', reason }),
  certificate: (_, { ends, target = '' }) =>
    isInstant(ends) ? { type: 'certificate', target, endsAt: Date.parse(ends) } : undefined,
  end: (_, { at }) => (isInstant(at) ? { type: 'end', at: Date.parse(at) } : undefined),
};

/** Undefined for a `#` line of another kind. */
export function parseFact(line: string): LogFact | undefined {
  const [, type = '', ...rest] = line.trim().split(' ');
  if (type === 'columns') return columnsIn(rest[0] ?? '');
  const parse = Object.hasOwn(parsers, type) ? parsers[type] : undefined;
  return parse?.(Number(rest[0]), Object.fromEntries(words(rest.join(' '))));
}

/** Whether the last line of a log says that its monitor has ended. */
export function hasEnded(log: string): boolean {
  const text = log.trimEnd();
  return parseFact(text.slice(text.lastIndexOf('\n') + 1))?.type === 'end';
}

const isInstant = (text: string | undefined): text is string => text !== undefined && !Number.isNaN(Date.parse(text));
const iso = (at: number) => new Date(at).toISOString();
