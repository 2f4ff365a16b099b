import { hookFails, preStopOf } from '../../cluster/pre-stop.ts';
import type { Container } from '../../cluster/specs.ts';
import { defaultGraceSeconds } from '../predict/circumstances.ts';
import { typicalDurations } from '../predict/typical-durations.ts';
import type { Rule } from './audited.ts';

/**
 * 4.2: a graceful termination period. It needs a preStop that lasts until the ingress controller has removed the
 * endpoint (docs/facts/kubernetes.md, "The end of a pod").
 */
export const gracefulTermination: Rule = {
  name: 'graceful-termination',
  required: true,
  look: ({ application: { workload } }) => {
    const { containers } = workload.spec.template.spec;
    const lag = typicalDurations.endpointLag.most;
    const short = containers.filter((container) => servesTraffic(container, containers) && preStopOf(container) < lag);
    return {
      outcome: short.length === 0 ? 'met' : 'missed',
      subject: workload,
      expected: `a preStop sleep of at least ${lag} s, which the ingress controller needs to forget an endpoint`,
      observed: containers.map(shown).join(', '),
      advice: `set lifecycle.preStop.sleep.seconds to ${lag * 2}: requests that still come are then answered`,
    };
  },
};

const shown = (container: Container): string =>
  `${container.name} ${preStopOf(container)} s${hookFails(container) ? ' (its hook fails at once: the image has no shell)' : ''}`;

/** The grace period must be long enough for the preStop and for the requests under way after it. */
export const terminationGrace: Rule = {
  name: 'termination-grace',
  required: true,
  look: ({ application: { workload }, settings }) => {
    const { containers, terminationGracePeriodSeconds: grace = defaultGraceSeconds } = workload.spec.template.spec;
    const preStop = Math.max(0, ...containers.map(preStopOf));
    const drain = settings.monitor.timeout;
    const needed = preStop + drain;
    return {
      outcome: grace >= needed ? 'met' : 'missed',
      subject: workload,
      expected: `terminationGracePeriodSeconds of at least ${needed}: preStop ${preStop} s and ${drain} s for requests under way`,
      observed: `${grace} s`,
      advice: `set terminationGracePeriodSeconds to ${needed} or more: after it the container is killed`,
    };
  },
};

const servesTraffic = ({ ports = [] }: Container, all: readonly Container[]): boolean =>
  all.length === 1 || ports.length > 0;
