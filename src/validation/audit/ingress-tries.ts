import { nginxAnnotation } from '../manifests/ingress-nginx-annotations.ts';
import type { Rule } from './audited.ts';

/** docs/facts/ingress-nginx.md, "Tries and time limits". */
const connectSeconds = 5;

const names = ['proxy-next-upstream', 'proxy-next-upstream-tries', 'proxy-connect-timeout'] as const;

/** Annotations of ingress-nginx by which a request that meets a dead pod fails, or waits longer than by default. */
export const ingressTries: Rule = {
  name: 'ingress-tries',
  required: false,
  ofIngress: true,
  applies: ({ application: { waysIn } }) => waysIn.some((way) => written(way.metadata.annotations).length > 0),
  look: ({ application: { waysIn } }) => {
    const [way] = waysIn.filter(({ metadata }) => written(metadata.annotations).length > 0);
    const all = written(way?.metadata.annotations);
    const isMissed = all.some(([name, value]) => isWorse[name](value));
    return {
      outcome: isMissed ? 'missed' : 'met',
      subject: way ?? 'Ingress',
      expected: `a request that meets a dead pod is tried elsewhere, within ${connectSeconds} s`,
      observed: all.map((pair) => pair.join(': ')).join(', '),
      advice: `leave them out, or set proxy-next-upstream to error timeout and proxy-connect-timeout to at most ${connectSeconds}: else each request that meets a dead pod fails, or waits so long`,
    };
  },
};

type Name = (typeof names)[number];

const isWorse: Readonly<Record<Name, (value: string) => boolean>> = {
  'proxy-next-upstream': (value) => !/\berror\b/.test(value) || !/\btimeout\b/.test(value),
  'proxy-next-upstream-tries': (value) => value === '1',
  'proxy-connect-timeout': (value) => Number.parseInt(value, 10) > connectSeconds,
};

function written(annotations: Readonly<Record<string, string>> = {}): readonly (readonly [Name, string])[] {
  return names.flatMap((name) => {
    const value = annotations[nginxAnnotation(name)];
    return value === undefined ? [] : [[name, value] as const];
  });
}
