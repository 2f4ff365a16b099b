import { lockOwner } from '../../deployment/checkout/lock.ts';
import { identify, isProvablyDead } from '../../deployment/checkout/owner.ts';
import type { DeploymentFact } from '../../deployment/record/events.ts';
import { isDeploymentFact } from '../../deployment/record/fact-shape.ts';
import { journalPath, runsOf } from '../../deployment/record/history.ts';
import type { Host } from '../../host/host.ts';
import { readJournal } from '../../journal/journal.ts';

/** The checkout whose deploys are shown. */
export interface ShownCheckout {
  readonly directory: string;
  readonly stateFolder: string;
}
export interface Deploys {
  readonly facts: readonly DeploymentFact[];
  /** The run that goes on: it has no end, and the process that holds the lock is alive. */
  readonly liveId: string | undefined;
}

/**
 * Reads the journal of a checkout again each time it has changed: its size is bounded, and a deploy may have shortened
 * it.
 */
export function followDeploys(
  host: Pick<Host, 'files' | 'clock' | 'random'>,
  { stateFolder }: ShownCheckout,
): () => Promise<Deploys> {
  const path = journalPath(stateFolder);
  let [readAs, facts]: [string, readonly DeploymentFact[]] = ['', []];
  return async () => {
    const stat = await host.files.stat(path);
    const as = `${stat?.sizeBytes} ${stat?.modifiedAt}`;
    if (as !== readAs)
      [readAs, facts] = [as, (await readJournal<DeploymentFact>(host.files, path, isDeploymentFact))?.facts ?? []];
    return { facts, liveId: await liveRun(host, stateFolder, facts) };
  };
}

async function liveRun(
  host: Pick<Host, 'files' | 'clock' | 'random'>,
  stateFolder: string,
  facts: readonly DeploymentFact[],
): Promise<string | undefined> {
  const last = runsOf(facts).at(-1);
  const owner = await lockOwner(host.files, stateFolder);
  if (last === undefined || owner === undefined || owner.pid !== last.pid) return undefined;
  return (await isProvablyDead(host.files, owner, await identify(host))) ? undefined : last.id;
}
