import type { Clock } from '../../host/host.ts';
import { changedMembers, event, type Looks, serverEvents } from '../server-events.ts';
import { type DeployView, deployView } from './deploy-view.ts';
import type { Deploys, ShownCheckout } from './follow-deploys.ts';

/**
 * The view as it is sent to a page: while the deploy runs, with the time here, because the clock of the browser may
 * differ.
 */
export interface StreamedDeploy extends DeployView {
  readonly now: number | null;
}

/**
 * A deploy as server-sent events: `deploy` has the members of its view that are new or changed. `end` is the last one,
 * after its end.
 */
export function deployStream(
  clock: Clock,
  { directory }: ShownCheckout,
  read: () => Promise<Deploys>,
  id: string,
  gone: AbortSignal,
): AsyncGenerator<string> {
  return serverEvents(clock, looksAt(clock, directory, read, id), gone);
}

function looksAt(clock: Clock, directory: string, read: () => Promise<Deploys>, id: string): Looks {
  const changed = changedMembers<StreamedDeploy>();
  let isOver = false;
  return {
    isOver: () => isOver,
    async next() {
      const { facts, liveId } = await read();
      const own = facts.filter(({ run }) => run === id);
      const view = deployView(own, directory, liveId);
      if (view === undefined) {
        isOver = true;
        return event('waiting', { because: `there is no deploy ${id} in ${directory}` }) + event('end', {});
      }
      isOver = id !== liveId;
      const changes = changed({ ...view, now: isOver ? null : clock.wallAt() });
      return event('deploy', changes) + (isOver ? event('end', {}) : '');
    },
  };
}
