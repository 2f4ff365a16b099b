import { mutantsOf, type SourceMutant } from './source-mutant.ts';

/** The guards of the lease, of consent, and of objects of others; the source without each; and the test that must fail then. */
export const lockMutants: readonly SourceMutant[] = [
  ...mutantsOf(
    'HeldLease',
    'lease/lease',
    ['if (before !== undefined && !isFree && !isOneOf(expired, before)) return undefined;', ''],
    ['!isOneOf(leases, other) && precedes(other, lease)', 'other === lease'],
    ['precedes(other, lease));', 'true);'],
    ['  await remove(request, lease).catch(() => undefined);\n', ''],
    ['leases.find((lease) => isFresh(lease, request.clock)) ?? (await', '(await'],
    ['?? (await renewedOf(request, leases, others))', ''],
  ),
  ...mutantsOf(
    'otherHolders',
    'lease/lease',
    ["const known = ['', holder, ...died]", "const known = ['', holder]"],
    ['renewed !== undefined || now.every(', 'renewed !== undefined || now.some('],
    ['longPastSeconds = 86_400', 'longPastSeconds = 3600'],
    ['if (renewed !== undefined || now.every(', 'if (now.every('],
    ['Math.abs(ageSeconds(lease, clock))', 'ageSeconds(lease, clock)'],
    ['sleep(readEverySeconds, signal)', 'sleep(readEverySeconds)'],
    ['host: { clock } }, signal }', 'host: { clock } } }'],
  ),
  ...mutantsOf('withLease', 'procedure/lease', ['holder: run.id, signal }', 'holder: run.id }']),
  ...mutantsOf(
    'renewLease',
    'lease/lease',
    ['if (left <= 0) return', 'if (left === Number.POSITIVE_INFINITY) return'],
    ['    if (isLost) return;\n', ''],
    ['renewedSeconds: askedSeconds, trouble: undefined', 'trouble: undefined'],
    ['held.trouble === undefined ? renewEverySeconds : retryAfterSeconds', 'leaseSeconds'],
  ),
  ...mutantsOf(
    'askConsent',
    'consent',
    ['if (allowed.has(key)) return true;', ''],
    ['if (isAllowed) allowed.add(key)', 'allowed.add(key)'],
  ),
  ...mutantsOf(
    'runScenario',
    'procedure/instance-kill',
    ['(await askConsent(lead, actions)) > goodSamples', 'round > goodSamples'],
    ['> goodSamples) return makeRound', '> 3600) return makeRound'],
  ),
  ...mutantsOf(
    'DowntimeLimit',
    'downtime-limit',
    ['goodAfter?.at ?? ', ''],
    ['starts.slice(0, here).findLastIndex((start) => !start.bad)', '-1'],
    ['starts.slice(0, young).findLastIndex((start) => !start.bad)', 'young - 1'],
  ),
  ...mutantsOf('deleteDnsRecord', 'delete-dns-record', [
    "values.some((value) => value.includes('heritage=external-dns'))",
    'values.length > 0',
  ]),
  ...mutantsOf('disruptionTrouble', 'scenarios/disruption-budget', [
    "  if (manifests !== 'none') return undefined;\n",
    '',
  ]),
  ...mutantsOf('scenarios/disruptionBudget', 'validation/scenarios/disruption-budget', [
    'freezeOf(before, settings) ?? ',
    '',
  ]),
  ...mutantsOf(
    'scenarios/consolidation',
    'validation/scenarios/consolidation',
    ["settings.manifests === 'none' && policy", 'policy'],
    ["settings.manifests === 'none' && policy !== 'WhenEmpty'", 'policy === undefined'],
    ['?? defaultPolicy', "?? 'WhenEmpty'"],
  ),
  ...mutantsOf(
    'Cluster',
    'client',
    ['/UID in (the )?precondition/', '/UID in precondition/'],
    ['/UID in (the )?precondition/', '/UID in the precondition/'],
  ),
  ...mutantsOf('Cluster', 'drain-node', [
    "new Set(['DisruptionBudget', 'NamespaceTerminating'])",
    "new Set(['DisruptionBudget'])",
  ]),
  ...mutantsOf('evictAll', 'drain-node', ['new Set([429, 403])', 'new Set([429])']),
];
