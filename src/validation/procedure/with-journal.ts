import { OperationError } from '../../host/errors.ts';
import { type Journal, openJournal } from '../../journal/journal.ts';
import { applicationsOf, namesOf } from '../applications.ts';
import { vantageNames } from '../downtime/vantage-names.ts';
import type { RunVantages, ValidationFact } from '../record/events.ts';
import { journalOf } from '../record/of-applications.ts';
import { runFiles, vantageLogFile } from '../record/run-folder.ts';
import { recorded, type Settings } from '../settings.ts';
import { listenForInterruption } from './interruption.ts';
import type { OpenRun, Order, RunApplication } from './order.ts';

/**
 * Opens the journal, runs the phases, and records why they ended early: a signal, `--abort-after`, or an
 * `OperationError`, which is not thrown. Every other error is recorded and thrown. Rejects with an `OperationError`
 * when the journal cannot be written.
 */
export async function withJournal(order: Order, phases: (open: OpenRun) => Promise<void>): Promise<void> {
  const { site, settings, run, version, scenarios, partial, cleanup } = order;
  const path = `${order.folder}/${runFiles.journal}`;
  const journal = await openJournal<ValidationFact>(site.host, path, order.onFact, { seal: order.seal });
  journal.record({
    type: 'run-started',
    tool: { name: 'holdfast', version },
    run,
    scenarios: scenarios.map(({ name }) => name),
    partial,
    cleanup,
    ...vantagesOf(order),
    settings: recorded(settings),
  });
  const applications = runApplications(settings, journal);
  for (const [index, manifests] of (order.manifests ?? []).entries()) applications[index]?.journal.record(manifests);
  const interruption = listenForInterruption(site, journal);
  try {
    // A run whose journal cannot be written does nothing at all.
    await journal.flush();
    await phases({ ...order, journal, applications, interruption });
  } catch (error) {
    if (!interruption.isRecorded()) journal.record({ type: 'run-failed', because: messageOf(error) });
    if (!(error instanceof OperationError)) throw error;
  } finally {
    interruption.stop();
    journal.record({ type: 'run-finished' });
    await journal.close();
  }
}

function runApplications(
  settings: Settings,
  journal: Journal<ValidationFact>,
): readonly [RunApplication, ...RunApplication[]] {
  const [first, ...further] = applicationsOf(settings);
  const names = namesOf([first, ...further]);
  const named = (one: Settings, index: number): RunApplication => {
    const name = names[index] ?? one.application;
    return { name, settings: one, journal: further.length === 0 ? journal : journalOf(journal, [name]) };
  };
  return [named(first, 0), ...further.map((one, index) => named(one, index + 1))];
}

function vantagesOf({ downtimeLogs = [], rule = 'any' }: Order): { readonly vantages?: RunVantages } {
  if (downtimeLogs.length < 2) return {};
  const logs = vantageNames(downtimeLogs).map((name, index) => ({ name, file: vantageLogFile(index) }));
  return { vantages: { rule, logs } };
}

const messageOf = (error: unknown): string => (error instanceof Error ? error.message : String(error));
