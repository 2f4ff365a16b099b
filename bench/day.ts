import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { rehearsalSite } from '../src/cli/cluster/rehearsal-site.ts';
import { nodeFiles } from '../src/host/files.ts';
import { rehearsalHost } from '../src/rehearsal/host.ts';
import { procedure } from '../src/validation/procedure/procedure.ts';
import { nodeDrain } from '../src/validation/scenarios/node-drain.ts';
import type { Scenario } from '../src/validation/scenarios/scenario.ts';
import { validationSchema } from '../src/validation/settings.ts';

/**
 * Memory of a run of a day of virtual time, with monitor and watches; budget: it stays flat within 10 %. Needs
 * --expose-gc.
 */
const { gc } = globalThis;
if (gc === undefined) throw new Error('type node --expose-gc bench/day.ts');
const hours = Number(process.argv[2] ?? 25);
const everyHours = 4;

/** A scenario of that many hours that changes nothing. */
const idle: Scenario = {
  ...nodeDrain,
  plan: (_before, { namespace, application: name }) => ({
    actions: [{ action: 'scale', target: { namespace, name, replicas: 2 } }],
  }),
  holdSeconds: hours * 3600,
};

const folder = mkdtempSync(`${tmpdir()}/holdfast-bench-`);
const output = { write: () => {}, isTTY: false, columns: 80, rows: 24 };
const real = { files: nodeFiles(), out: output, talk: output, onSignal: () => () => {} };
const rehearsal = rehearsalHost({ seed: '1', real });
const heaps: number[] = [];

/** The first hour is the application's start, and code that is compiled. */
async function weigh(): Promise<void> {
  await rehearsal.host.clock.sleep(3600);
  for (let hour = 1; hour <= hours; hour += everyHours) {
    gc?.();
    gc?.();
    const { heapUsed, rss } = process.memoryUsage();
    heaps.push(heapUsed);
    console.log(`after ${hour} h: heap ${mebibytes(heapUsed)} MiB, resident ${mebibytes(rss)} MiB`);
    await rehearsal.host.clock.sleep(everyHours * 3600);
  }
}
const mebibytes = (bytes: number): string => (bytes / 2 ** 20).toFixed(1);

try {
  const begun = process.cpuUsage();
  await rehearsal.run(async () => {
    void weigh();
    await procedure({
      site: rehearsalSite({ host: rehearsal.host }),
      settings: validationSchema.parse({}),
      folder,
      run: { id: 'day', kind: 'rehearsal', seed: 1, cluster: 'embedded cluster' },
      version: '0.0.0',
      scenarios: [idle],
      partial: true,
      cleanup: false,
      onFact: () => {},
      onScenarioEnd: async () => {},
    });
  });
  const { user, system } = process.cpuUsage(begun);
  const growth = (heaps.at(-1) ?? 0) / (heaps[0] ?? 1) - 1;
  const spread = Math.max(...heaps) / Math.min(...heaps) - 1;
  console.log(
    `${hours} h: in the end ${(100 * growth).toFixed(1)} % more than at first (budget 10 %), ${(100 * spread).toFixed(0)} % between least and most; ${((user + system) / 1e6).toFixed(0)} s of CPU`,
  );
  process.exitCode = growth <= 0.1 ? 0 : 1;
} finally {
  rmSync(folder, { recursive: true });
}
