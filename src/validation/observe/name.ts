import type { Cloud, HostedZone } from '../../cloud/cloud.ts';
import { OperationError } from '../../host/errors.ts';
import type { DnsAnswer, Host } from '../../host/host.ts';
import type { NameSeen, NameSource, ZoneRead } from '../record/observed.ts';
import type { Observe } from './observation.ts';
import { onlyChanges } from './only-changes.ts';

/** The monitor's interval, because its samples are compared with these observations. */
const intervalSeconds = 1;
/** Route 53 allows five requests a second and account (docs/facts/aws.md, "Route 53"), which other tools need too. */
const zoneIntervalSeconds = 5;

/**
 * The DNS name of the application, resolved by an authoritative server and by the resolver that clients use, and read
 * from the cloud's API: each on its own, so that one that hangs delays no other. Calls back with changes only.
 */
export const observeName: Observe = async ({ site: { host, cloud }, settings }, onObserved, signal) => {
  const name = new URL(settings.url).hostname;
  let isAlias = false;
  const onName = onlyChanges<NameSeen>(
    onObserved,
    // The addresses behind an alias are the load balancer's, and change while the record does not.
    ({ by, code, values, alias }) => JSON.stringify(isAlias && by !== 'zone' ? [code] : [code, values, alias]),
    ({ by }) => by,
  );
  const watch = async (seconds: number, ask: () => Promise<NameSeen | undefined>): Promise<void> => {
    while (!signal.aborted) {
      const answer = await ask();
      if (answer !== undefined) onName(answer);
      await host.clock.sleep(seconds, signal).catch(() => undefined);
    }
  };
  let found: FoundZone | undefined;
  const inZone = async (): Promise<NameSeen | undefined> => {
    if (found === undefined) {
      found = await findZone(host, cloud, settings.dns.zone);
      if (found !== undefined) onObserved(found.read);
    }
    const answer = found && (await askZone(found, name));
    isAlias ||= answer?.alias === true;
    return answer;
  };
  await Promise.all([
    watch(intervalSeconds, () => askResolver(host, name)),
    watch(intervalSeconds, () => askAuthority(host, name, found?.read.authority ?? null)),
    watch(zoneIntervalSeconds, inZone),
  ]);
};

interface FoundZone {
  readonly cloud: Cloud;
  readonly zone: HostedZone;
  readonly read: ZoneRead;
}

/** Undefined without access to the cloud, without such a zone, and while the cloud does not answer. */
async function findZone(host: Host, cloud: Cloud | undefined, name: string): Promise<FoundZone | undefined> {
  const zone = await unlessFailed(cloud?.zone(name));
  if (cloud === undefined || zone === undefined) return undefined;
  const [server] = zone.nameServers;
  const answer = server === undefined ? undefined : await host.resolve({ name: server, type: 'A' });
  const authority = answer?.records.find(({ type }) => type === 'A')?.value ?? null;
  const { negativeTtlSeconds } = zone;
  return { cloud, zone, read: { type: 'zone-read', zone: name, authority, negativeTtlSeconds } };
}

const askResolver = async (host: Host, name: string): Promise<NameSeen> =>
  answerOf('resolver', await host.resolve({ name, type: 'A' }));

/** Undefined if no authoritative server was found. */
const askAuthority = async (host: Host, name: string, server: string | null): Promise<NameSeen | undefined> =>
  server === null ? undefined : answerOf('authority', await host.resolve({ name, type: 'A', server }));

/** The record in the cloud's API; undefined while the API does not answer. */
async function askZone({ cloud, zone }: FoundZone, name: string): Promise<NameSeen | undefined> {
  const sets = await unlessFailed(cloud.records(zone, [name]));
  if (sets === undefined) return undefined;
  const [set] = sets.filter(({ type }) => type !== 'TXT');
  if (set === undefined) return { type: 'name-seen', by: 'zone', code: 'NXDOMAIN', values: [], ttlSeconds: null };
  const { values, ttlSeconds, alias } = set;
  const answer = { type: 'name-seen', by: 'zone', code: 'NOERROR', values, ttlSeconds } as const;
  return alias === undefined ? answer : { ...answer, alias: true };
}

async function unlessFailed<T>(asked: Promise<T> | undefined): Promise<T | undefined> {
  try {
    return await asked;
  } catch (error) {
    if (error instanceof OperationError) return undefined;
    throw error;
  }
}

/**
 * The first record is the name's own. Of a CNAME only its target counts, because the addresses behind it are not the
 * name's own.
 */
function answerOf(by: NameSource, { code, records }: DnsAnswer): NameSeen {
  const [own] = records;
  const values = records.filter(({ type }) => type === own?.type).map(({ value }) => value);
  const first = own?.type === 'CNAME' ? values.slice(0, 1) : values.toSorted();
  return { type: 'name-seen', by, code, values: first, ttlSeconds: own?.ttlSeconds ?? null };
}
