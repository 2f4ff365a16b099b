import { wholeSecondsText } from '../../figures/figures.js';
import { undeletableRecord } from '../actions/delete-dns-record.ts';
import { measuredText } from '../downtime/downtime.ts';
import type { Expectation } from '../finding.ts';
import type { Measurement } from '../measure/measure.ts';
import type { NameMeasurement } from '../measure/name.ts';
import type { Before, Snapshot } from '../observe/snapshot.ts';
import type { Circumstances } from '../predict/circumstances.ts';
import { typicalDurations } from '../predict/typical-durations.ts';
import { type Prediction, range, sum } from '../record/prediction.ts';
import { presence, sourceNames } from '../record/presence.ts';
import type { Settings } from '../settings.ts';
import type { Scenario } from './scenario.ts';
import { dnsAutomationOf } from './shared.ts';

/**
 * A resolver and this run's observation may each be a second late, and another resolver in between keeps its answers
 * too (docs/facts/dns.md, "What resolvers keep").
 */
const marginSeconds = 30;
/** Until a change is at all servers of Route 53. */
const spreadSeconds = typicalDurations.zonePropagation.most;

/** external-dns' TTL of 300 s, and Route 53's 60 s until a change is in sync; somewhat less than twice their sum. */
const settleWithinSeconds = 600;

/**
 * 4.1: temporarily delete the DNS record, then restore. In the first round the DNS automation restores it, which is
 * measured; in the second it is paused, so that the record is gone for longer than resolvers keep it, and clients fail.
 */
export const dnsFailure = {
  name: 'dns-failure',
  title: 'DNS failure',
  expected: 'record how long clients fail and the TTL behavior',
  explanation: {
    how: 'Deletes the DNS record, once with external-dns running and once with it paused, and restores it.',
    fails: [
      'Resolvers keep the record for its TTL, so clients do not fail at once; then they keep "no such name" for the zone’s negative TTL (900 s in Route 53 unless set), even when the record is back.',
      'Old versions of external-dns never create the record again while its TXT record exists.',
    ],
    measured: [
      'when the authoritative server, the resolver and a client saw it gone, and back',
      'how long clients failed after the record was back',
    ],
  },
  permissions: ({ dnsAutomation: { namespace } }) => [
    { group: 'apps', resource: 'deployments', verbs: ['get', 'patch'], namespace, undoes: true },
  ],
  cloudPermissions: [
    'route53:ListHostedZonesByName',
    'route53:ListResourceRecordSets',
    'route53:ChangeResourceRecordSets',
    'route53:GetChange',
  ],
  sharedBy: dnsAutomationOf,
  disturbs: ['dns-automation', 'host'],
  sparesNone: true,
  predict: predictDnsFailure,
  baseline: { appReplicas: 2, orMore: true },
  needs: 'zone',
  rounds: 2,
  observes: 'name',
  plan: (before, settings, round) => {
    const name = new URL(settings.url).hostname;
    const { zone } = settings.dns;
    const trouble = undeletableRecord(name, zone);
    if (trouble !== undefined) return { inconclusive: trouble };
    const deletion = { action: 'delete-dns-record', target: { name, zone } } as const;
    if (round === 0) return { actions: [deletion] };
    const pause = pausedAutomation(before, settings);
    return pause === undefined ? { inconclusive: noPause } : { actions: [pause, deletion] };
  },
  settled: ({ name }, _before, round) => (round === 0 ? isAnswered(name) : isUnanswered(name)),
  settleWithinSeconds,
  // The negative TTL of Route 53 (900 s), 60 s until the record is back, and the 30 good samples; half as much again.
  steadyWithinSeconds: 1500,
  replaces: true,
  mayRemoveEmptyNodes: false,
  mayLoseEndpoints: false,
  judge: (measured, settings) => [...judgeName(measured.name), ...notesOf(measured, settings)],
} as const satisfies Scenario;

const noPause = 'the DNS automation is no Deployment that could be paused, so clients may never see the record gone';

function pausedAutomation({ components }: Before, { dnsAutomation: { namespace, selector } }: Settings) {
  const name = components.find(({ component }) => component === 'DNS automation')?.deployment;
  if (name === undefined) return undefined;
  return { action: 'pause-deployment', target: { namespace, name, selector } } as const;
}

/** Whether the zone has the record, and the authoritative server too, if it answers this machine at all. */
const isAnswered = (name: Snapshot['name']): boolean =>
  name?.zone !== undefined &&
  presence(name.zone.code) === 'present' &&
  (name.authority === undefined || presence(name.authority.code) !== 'absent');

const isUnanswered = (name: Snapshot['name']): boolean =>
  name?.resolver !== undefined && presence(name.resolver.code) === 'absent';

function judgeName(name: NameMeasurement | undefined): readonly Expectation[] {
  if (name === undefined)
    return [{ ...recordRestored, outcome: 'inconclusive', observed: 'the name was not observed' }];
  return [judgeRestored(name), resolvesAgain(name)];
}

const recordRestored = { id: 'record-restored', expected: 'the record as it was, at every source' };

function judgeRestored({ restored, untold }: NameMeasurement): Expectation {
  const silent = `${untold.map((by) => sourceNames[by]).join(' and ')} did not answer both before and after`;
  if (restored === null) return { ...recordRestored, outcome: 'inconclusive', observed: silent };
  if (!restored) return { ...recordRestored, outcome: 'not-met', observed: 'it is not', advice: restoreByHand };
  const where =
    untold.length === 0 ? 'it is' : `it is at the others; ${silent}: see whether its port 53 can be reached`;
  return { ...recordRestored, outcome: 'met', observed: where };
}

const restoreByHand = 'compare the zone with the intent in the journal, and restore it by hand';

/** A resolver may keep the record for its TTL, which may be longer than the scenario waits. */
const neverGone = (ttlSeconds: number | null): Pick<Expectation, 'observed' | 'advice' | 'rules'> =>
  ttlSeconds !== null && ttlSeconds > settleWithinSeconds
    ? {
        observed: `the resolver never saw it gone, because it keeps the record for its TTL of ${ttlSeconds} s: nothing was tested`,
        advice: 'set external-dns.alpha.kubernetes.io/ttl to 60: clients also keep an old address for that long',
        rules: ['ingress-annotations'],
      }
    : { observed: 'the resolver never saw it gone: nothing was tested' };

function resolvesAgain({
  recordTtlSeconds,
  resolverTailSeconds: tail,
  resolverGoneSeconds: gone,
  negativeTtlSeconds,
  returnSeenBy,
}: NameMeasurement): Expectation {
  // The cloud's API shows a change before the name servers have it.
  const spread = returnSeenBy === 'zone' ? spreadSeconds : 0;
  const limit = (negativeTtlSeconds ?? 0) + spread + marginSeconds;
  const id = 'resolves-again';
  const parts = `the zone's negative TTL of ${negativeTtlSeconds ?? 'unknown'} s, ${spread === 0 ? '' : `${spread} s until its servers have it, `}and ${marginSeconds} s`;
  const expected = `it resolves again within ${limit} s of its return: ${parts}`;
  if (gone === null) return { id, expected, outcome: 'inconclusive', ...neverGone(recordTtlSeconds) };
  if (returnSeenBy === null)
    return { id, expected, outcome: 'inconclusive', observed: 'when the record was back was not seen' };
  if (tail === null) return { id, expected, outcome: 'not-met', observed: 'it does not' };
  return { id, expected, outcome: tail <= limit ? 'met' : 'not-met', observed: `after ${wholeSecondsText(tail)}` };
}

/** What the specification asks to record: how long clients fail, and the TTL behavior. */
function notesOf({ name, downtime }: Measurement, { dns: { ttl } }: Settings): readonly Expectation[] {
  if (name === undefined) return [];
  const noted = (id: string, expected: string, observed: string): Expectation => ({
    id,
    expected,
    outcome: 'noted',
    observed,
  });
  const text = (seconds: number | null): string => (seconds === null ? 'not seen' : wholeSecondsText(seconds));
  const heal = name.selfHealSeconds;
  return [
    {
      ...noted(
        'clients',
        'how long clients fail',
        `${measuredText(downtime)}, of which ${text(name.clientTailSeconds)} after the record was back`,
      ),
      // Clients may have failed in seconds without a sample, too.
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

/** Resolvers keep an answer for its TTL, and a negative answer for the negative TTL. */
function predictDnsFailure({ record }: Circumstances, { dns }: Settings): Prediction {
  const ttl = record?.ttlSeconds ?? dns.ttl;
  const back = sum(typicalDurations.recordLoop, typicalDurations.zonePropagation);
  const known = sum(back, typicalDurations.negativeTtl);
  return {
    durationSeconds: sum(typicalDurations.frame, range(back.least, known.most + ttl)),
    downtimeSeconds: range(0, known.most),
    nodeReadySeconds: null,
    podReadySeconds: null,
    steps: [
      {
        afterSeconds: range(0, ttl),
        what: 'clients begin to fail',
        because: `resolvers keep the record for its TTL of ${ttl} s${record?.isAlias ? `, that of an alias (${record.types.join(', ')})` : ''}`,
      },
      {
        afterSeconds: back,
        what: 'the record is back',
        because: 'external-dns looks once in 60 s, and the zone has to be in sync',
      },
      {
        afterSeconds: known,
        what: 'the last client succeeds again',
        because: `"no such name" is kept for the zone's negative TTL, ${typicalDurations.negativeTtl.most} s in Route 53 unless set`,
      },
    ],
  };
}
