import type { Rule } from './audited.ts';

/** Deprecated annotations: the successor of each, and who still reads it (docs/facts/dns.md, "external-dns"). */
const deprecated: Readonly<Record<string, string>> = {
  // Without a prototype, so that an annotation named `constructor` is not found.
  __proto__: null as never,
  'kubernetes.io/ingress.class': 'use spec.ingressClassName in what is yours: the old one still works',
  'external-dns.alpha.kubernetes.io/hostname':
    'use external-dns.kubernetes.io/hostname in what is yours: external-dns 0.22 and later do not read the old one unless --annotation-prefix names it, and of an Ingress take the hosts of its rules alone',
};

/** The specification names both annotations of 2.3; both have been deprecated since. */
export const ingressAnnotations: Rule = {
  name: 'ingress-annotations',
  required: false,
  ofIngress: true,
  look: ({ application: { waysIn } }) => {
    const expected = 'annotations that are not deprecated';
    const [way] = waysIn;
    if (way === undefined) return { outcome: 'not-audited', subject: 'Ingress', expected };
    const used = waysIn
      .flatMap(({ metadata }) => Object.keys(metadata.annotations ?? {}))
      .filter((key) => key in deprecated);
    return {
      outcome: used.length === 0 ? 'met' : 'missed',
      subject: way,
      expected,
      observed: used.length === 0 ? 'none is deprecated' : `deprecated: ${used.join(', ')}`,
      advice: used.map((key) => deprecated[key]).join('; '),
    };
  },
};
