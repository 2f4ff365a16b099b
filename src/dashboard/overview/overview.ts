import { type RunRecord, runsOf } from '../../deployment/record/history.ts';
import type { Clock } from '../../host/host.ts';
import { type DeployLine, deployLine } from '../deploys/deploy-line.ts';
import type { Deploys } from '../deploys/follow-deploys.ts';
import { type Release, releaseHistory } from '../deploys/release-history.ts';
import { changedMembers, event, type Looks, serverEvents } from '../server-events.ts';
import type { ReadRuns } from './read-runs.ts';

/** All runs and deploys, the newest first. */
export interface Overview extends ReadRuns {
  readonly deploys: readonly DeployLine[];
  readonly olderDeploys: number;
  readonly releases: readonly Release[];
  /** The checkout of the deploys; null where there is none. */
  readonly directory: string | null;
  /** Why there are no deploys to show; null where there are. */
  readonly noDeploys: string | null;
}

/** Where an overview comes from. */
export interface Shown {
  readonly runs: () => Promise<ReadRuns>;
  readonly deploys: (() => Promise<Deploys>) | undefined;
  readonly directory: string | null;
  readonly noDeploys: string | null;
}

/** The overview as server-sent events: `overview` has the members that are new or changed. It has no end. */
export function overviewStream(clock: Clock, shown: Shown, gone: AbortSignal): AsyncGenerator<string> {
  const changed = changedMembers<Overview>();
  const looks: Looks = {
    isOver: () => false,
    async next() {
      const changes = changed(await overviewOf(shown));
      return Object.keys(changes).length === 0 ? undefined : event('overview', changes);
    },
  };
  return serverEvents(clock, looks, gone);
}

async function overviewOf({ runs, deploys, directory, noDeploys }: Shown): Promise<Overview> {
  const [read, { facts, liveId }] = [await runs(), (await deploys?.()) ?? { facts: [], liveId: undefined }];
  const records = runsOf(facts);
  const nothing = records.length === 0 ? `nothing was deployed to ${directory} yet` : null;
  return {
    ...read,
    deploys: newest(records, mostDeploys).map((record) => deployLine(record, liveId)),
    olderDeploys: Math.max(0, records.length - mostDeploys),
    releases: releaseHistory(records).slice(0, mostDeploys),
    directory,
    noDeploys: noDeploys ?? nothing,
  };
}

const mostDeploys = 50;

const newest = (records: readonly RunRecord[], most: number): readonly RunRecord[] => records.slice(-most).toReversed();
