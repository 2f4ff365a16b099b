import type { Signal } from '../../host/host.ts';
import type { ValidationFact } from '../record/events.ts';
import { ofType } from '../record/records.ts';
import type { RunResult } from './run-result.ts';

const signalNumbers: Readonly<Record<Signal, number>> = { SIGHUP: 1, SIGINT: 2, SIGTERM: 15 };

/**
 * docs/contract.md, "Exit codes": first an action that could not be undone, then a signal, another run's lease, the
 * pre-check, the verdict.
 */
export function exitCodeOf(facts: readonly ValidationFact[], { undo, verdict }: RunResult): number {
  if (undo.some(({ state }) => state === 'failed')) return 5;
  const [interrupted] = ofType(facts, 'run-interrupted');
  if (interrupted !== undefined) return 128 + (signalNumbers[interrupted.signal as Signal] ?? 0);
  const stopping = ofType(facts, 'check-finished').filter(
    ({ mandatory, finding }) => mandatory && finding.severity === 'error',
  );
  if (stopping.some(({ finding }) => finding.id === 'another-run')) return 6;
  if (stopping.length > 0) return 3;
  return { pass: 0, fail: 1, inconclusive: 4, error: 4 }[verdict];
}
