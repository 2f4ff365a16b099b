import { ApiError } from '../kubernetes/cluster.ts';
import type { Kinds } from '../kubernetes/kinds.ts';
import type { Condition } from '../kubernetes/metadata.ts';
import { createEvent } from '../reconciling/events.ts';
import type { Controller, Site } from '../setup/site.ts';

const kinds = ['NodeClaim', 'NodePool', 'EC2NodeClass', 'Node'] as const;
type WithConditions = Kinds[(typeof kinds)[number]];

/**
 * Conditions of NodeClaims, NodePools, node classes and Nodes → an Event for each change of a status (operatorpkg,
 * status/controller.go).
 */
export const statusEvents: Controller = {
  name: 'status-events',
  run: (site, signal) => {
    for (const kind of kinds)
      site.cache.subscribe(kind, ({ object, previous }) => {
        if (signal.aborted || previous === undefined || !site.running()) return;
        void recordTransitions(site, object, conditionsOf(previous)).catch((error: unknown) => {
          if (!(error instanceof ApiError)) site.failed(error);
        });
      });
  },
};

const conditionsOf = ({ status }: WithConditions): readonly Condition[] => status?.conditions ?? [];

async function recordTransitions(site: Site, object: WithConditions, before: readonly Condition[]): Promise<void> {
  for (const { type, status, reason = '', message = '' } of conditionsOf(object)) {
    const was = before.find((one) => one.type === type)?.status;
    if (was === undefined || was === status) continue;
    const why = `Reason: ${reason}${message === '' ? '' : `, Message: ${message}`}`;
    const text = `Status condition transitioned, Type: ${type}, Status: ${was} -> ${status}, ${why}`;
    await createEvent(site, object, 'Normal', type, text);
  }
}
