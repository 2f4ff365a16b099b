import type { LoadPlan } from '../../host/host.ts';
import { withoutHistogram } from '../../host/load/merge.ts';
import type { Action } from './action.ts';

/** Sends many requests to the application's address. There is nothing to undo. */
export const sendLoad: Action<LoadPlan, LoadPlan> = {
  name: 'send-load',
  prepare: async (_site, target) => target,
  perform: async ({ host }, plan, signal) => ({
    load: {
      ...withoutHistogram(await host.load(plan, signal)),
      ...(plan.generator === undefined ? {} : { generator: plan.generator }),
    },
  }),
  verify: async (_site, { requests, concurrency }) => ({
    id: 'load-sent',
    expected: `${requests} requests, ${concurrency} at a time`,
    outcome: 'met',
    observed: 'each was made once',
  }),
  undo: async () => ({ state: 'not-needed', because: 'requests leave nothing behind' }),
  subject: ({ url }) => url,
  byHand: () => '# nothing: requests leave nothing behind',
};
