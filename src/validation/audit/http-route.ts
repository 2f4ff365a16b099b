import type { HttpRoute } from '../../cluster/gateway-api.ts';
import { sharers, stateOf } from '../manifests/route-state.ts';
import type { WayIn } from '../observe/read-way-in.ts';
import { serviceName } from '../settings.ts';
import type { Rule } from './audited.ts';

export const isRoute = (way: WayIn): way is HttpRoute => way.kind === 'HTTPRoute';

/**
 * A route that its Gateway refuses leads nobody to the application, and of one that shares its requests others answer a
 * part.
 */
export const routeServed: Rule = {
  name: 'http-route',
  required: false,
  ofRoute: true,
  look: ({ application: { waysIn }, settings, now }) => {
    const service = serviceName(settings);
    const expected = `its Gateway takes it, and it sends to Service ${service} alone`;
    const route = waysIn.find(isRoute);
    // Only a live route has a status.
    if (route === undefined || now === undefined) return { outcome: 'not-audited', subject: 'HTTPRoute', expected };
    const { isServed, observed } = stateOf(route, service);
    const others = sharers(route, service);
    const subject = route;
    if (!isServed)
      return { outcome: 'missed', subject, expected, observed, advice: 'see the conditions in its status' };
    if (others.length === 0) return { outcome: 'met', subject, expected, observed };
    return {
      outcome: 'missed',
      subject,
      expected,
      observed: `${observed}; it shares its requests with ${others.join(', ')}`,
      advice: 'judge the others too: a visitor meets whichever answers',
    };
  },
};
