import type { Rule } from './audited.ts';

/** 4.2: readiness probes; "without readiness probes downtime can occur even with 2 replicas". */
export const readinessProbe: Rule = {
  name: 'readiness-probe',
  required: true,
  look: ({ application: { workload } }) => {
    const { containers } = workload.spec.template.spec;
    const serving = containers.filter(({ ports = [] }) => ports.length > 0);
    const asked = serving.length > 0 ? serving : containers;
    const without = asked.filter((container) => container.readinessProbe === undefined).map(({ name }) => name);
    return {
      outcome: without.length === 0 ? 'met' : 'missed',
      subject: workload,
      expected: 'a readiness probe on every container that serves',
      observed: without.length === 0 ? 'on every one' : `none on ${without.join(', ')}`,
      advice: 'add one that asks what users ask: without it traffic comes as soon as the container has started',
    };
  },
};
