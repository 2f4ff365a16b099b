import type { Expectation } from '../finding.ts';
import type { Measurement } from '../measure/measure.ts';
import type { NameMeasurement } from '../measure/name.ts';
import type { Scenario } from '../scenario.ts';
import type { Settings } from '../settings.ts';
import type { Before, Snapshot } from '../snapshot.ts';

/** A resolver may be a second late, and so may this run's look; and what a hop more keeps (facts 4.10). */
const marginSeconds = 30;

/**
 * 4.1: delete the DNS record, then restore it. First the DNS automation is left to heal it, which is measured; then it is paused, so
 * that the record is gone for longer than resolvers know it, and clients fail.
 */
export const dnsFailure = {
  name: 'dns-failure',
  title: 'DNS failure',
  expected: 'record how long clients fail and the TTL behavior',
  baseline: { appReplicas: 2 },
  rounds: 2,
  observes: 'name',
  plan: (before, settings, round) => {
    const name = new URL(settings.url).hostname;
    const { zone } = settings.dns;
    const trouble = unfitName(name, zone);
    if (trouble !== undefined) return { inconclusive: trouble };
    const deletion = { action: 'delete-dns-record', target: { name, zone } } as const;
    if (round === 0) return { actions: [deletion] };
    const pause = pausedAutomation(before, settings);
    return pause === undefined ? { inconclusive: noPause } : { actions: [pause, deletion] };
  },
  settled: ({ name }, _before, round) => (round === 0 ? isAnswered(name) : isUnanswered(name)),
  // The record's TTL of 300 s, and Route 53's 60 s until a change is in sync; somewhat less than twice their sum.
  settleWithinSeconds: 600,
  // Route 53's own negative TTL of 900 s, the record's way back of 60 s, and the 30 good samples; half as much again.
  steadyWithinSeconds: 1500,
  replaces: true,
  mayRemoveEmptyNodes: false,
  mayLoseEndpoints: false,
  judge: (measured, settings) => [...judgeName(measured.name), ...notesOf(measured, settings)],
} as const satisfies Scenario;

/** Other names depend on a wildcard or an apex (facts 4.10). */
function unfitName(name: string, zone: string): string | undefined {
  if (name === zone || name.startsWith('*.')) return `${name} is an apex or a wildcard, which others depend on`;
  return name.endsWith(`.${zone}`) ? undefined : `${name} is not in zone ${zone}`;
}

const noPause = 'the DNS automation is no Deployment that could be paused, so clients may never see the record gone';

function pausedAutomation({ components }: Before, { dnsAutomation: { namespace, selector } }: Settings) {
  const name = components.find(({ component }) => component === 'DNS automation')?.deployment;
  if (name === undefined) return undefined;
  return { action: 'pause-deployment', target: { namespace, name, selector } } as const;
}

const isAnswered = (name: Snapshot['name']): boolean =>
  name?.zone?.code === 'NOERROR' && (name.authority === undefined || name.authority.code === 'NOERROR');

const isUnanswered = (name: Snapshot['name']): boolean =>
  name?.resolver !== undefined && (name.resolver.code === 'NXDOMAIN' || name.resolver.code === 'NODATA');

function judgeName(name: NameMeasurement | undefined): readonly Expectation[] {
  const restored = { id: 'record-restored', expected: 'the record as it was, at every source' };
  if (name === undefined) return [{ ...restored, outcome: 'inconclusive', observed: 'the name was not observed' }];
  if (name.restored === null)
    return [
      { ...restored, outcome: 'inconclusive', observed: 'not every source was seen before' },
      resolvesAgain(name),
    ];
  return [
    {
      ...restored,
      outcome: name.restored ? 'met' : 'not-met',
      observed: name.restored ? 'it is' : 'it is not',
      advice: name.restored ? '' : 'compare the zone with the intent in the journal, and restore it by hand',
    },
    resolvesAgain(name),
  ];
}

function resolvesAgain({
  resolverTailSeconds: tail,
  resolverGoneSeconds: gone,
  negativeTtlSeconds,
}: NameMeasurement): Expectation {
  const limit = (negativeTtlSeconds ?? 0) + marginSeconds;
  const id = 'resolves-again';
  const expected = `it resolves again within ${limit} s of its return: the zone's negative TTL of ${negativeTtlSeconds ?? 'unknown'} s, and ${marginSeconds} s`;
  if (gone === null)
    return { id, expected, outcome: 'inconclusive', observed: 'the resolver never saw it gone: nothing was tested' };
  if (tail === null) return { id, expected, outcome: 'not-met', observed: 'it does not' };
  return { id, expected, outcome: tail <= limit ? 'met' : 'not-met', observed: `after ${tail.toFixed(0)} s` };
}

/** Informational: the specification asks to record it (facts 4.10). */
function notesOf({ name, downtime }: Measurement, { dns: { ttl } }: Settings): readonly Expectation[] {
  if (name === undefined) return [];
  const noted = (id: string, expected: string, observed: string): Expectation => ({
    id,
    expected,
    outcome: 'noted',
    observed,
  });
  const text = (seconds: number | null): string => (seconds === null ? 'not seen' : `${seconds.toFixed(0)} s`);
  const heal = name.selfHealSeconds;
  return [
    {
      ...noted(
        'clients',
        'how long clients fail',
        `${downtime.seconds} s, of which ${text(name.clientTailSeconds)} after the record was back`,
      ),
      // Seconds that nobody saw may have been more of it.
      ...(downtime.unknown > 0 || downtime.samples === 0 ? { outcome: 'inconclusive' as const } : {}),
    },
    noted(
      'ttl',
      'the TTL behavior',
      `TTL ${text(name.recordTtlSeconds)} (settings: ${ttl} s), negative TTL ${text(name.negativeTtlSeconds)}; gone at the authoritative server after ${text(name.authorityGoneSeconds)}, at the resolver after ${text(name.resolverGoneSeconds)}, and there again ${text(name.resolverTailSeconds)} after the record was back`,
    ),
    noted(
      'self-heal',
      'the DNS automation makes the record again',
      heal === null ? 'sooner than it could be seen, or not at all' : `after ${text(heal)}`,
    ),
  ];
}
