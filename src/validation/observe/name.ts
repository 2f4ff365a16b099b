import type { Cloud, HostedZone } from '../../cloud/cloud.ts';
import { OperationError } from '../../host/errors.ts';
import type { DnsAnswer, Host } from '../../host/host.ts';
import type { NameSeen, NameSource, ZoneRead } from '../record/observed.ts';
import type { Observe } from './observation.ts';
import { onlyNew } from './only-new.ts';

/** The monitor's own interval: what it sees is compared with this. */
const intervalSeconds = 1;
/** Route 53 answers five requests a second and account; others need theirs. */
const zoneIntervalSeconds = 5;

/**
 * The application's name, asked for at an authoritative server, at the resolver that clients use, and at the cloud's API: each by
 * itself, so that one that hangs keeps nobody waiting. Only what is new is told.
 */
export const observeName: Observe = async ({ site: { host, cloud }, settings }, see, signal) => {
  const name = new URL(settings.url).hostname;
  let isAlias = false;
  const tell = onlyNew<NameSeen>(
    see,
    // What is behind an alias is somebody else's: a load balancer's addresses change while nothing is done to it.
    ({ by, code, values, alias }) => JSON.stringify(isAlias && by !== 'zone' ? [code] : [code, values, alias]),
    ({ by }) => by,
  );
  const watch = async (seconds: number, look: () => Promise<NameSeen | undefined>): Promise<void> => {
    while (!signal.aborted) {
      const seen = await look();
      if (seen !== undefined) tell(seen);
      await host.clock.sleep(seconds, signal).catch(() => undefined);
    }
  };
  let found: Found | undefined;
  const inZone = async (): Promise<NameSeen | undefined> => {
    if (found === undefined) {
      found = await findZone(host, cloud, settings.dns.zone);
      if (found !== undefined) see(found.read);
    }
    const seen = found && (await askZone(found, name));
    isAlias ||= seen?.alias === true;
    return seen;
  };
  await Promise.all([
    watch(intervalSeconds, () => askResolver(host, name)),
    watch(intervalSeconds, () => askAuthority(host, name, found?.read.authority ?? null)),
    watch(zoneIntervalSeconds, inZone),
  ]);
};

interface Found {
  readonly cloud: Cloud;
  readonly zone: HostedZone;
  readonly read: ZoneRead;
}

/** Undefined while the cloud does not tell. */
async function findZone(host: Host, cloud: Cloud | undefined, name: string): Promise<Found | undefined> {
  const zone = await unlessTrouble(cloud?.zone(name));
  if (cloud === undefined || zone === undefined) return undefined;
  const [server] = zone.nameServers;
  const answer = server === undefined ? undefined : await host.resolve({ name: server, type: 'A' });
  const authority = answer?.records.find(({ type }) => type === 'A')?.value ?? null;
  const { negativeTtlSeconds } = zone;
  return { cloud, zone, read: { type: 'zone-read', zone: name, authority, negativeTtlSeconds } };
}

const askResolver = async (host: Host, name: string): Promise<NameSeen> =>
  seenIn('resolver', await host.resolve({ name, type: 'A' }));

/** Undefined without a server to ask. */
const askAuthority = async (host: Host, name: string, server: string | null): Promise<NameSeen | undefined> =>
  server === null ? undefined : seenIn('authority', await host.resolve({ name, type: 'A', server }));

/** What the cloud's API says; undefined when it says nothing just now. */
async function askZone({ cloud, zone }: Found, name: string): Promise<NameSeen | undefined> {
  const sets = await unlessTrouble(cloud.records(zone, [name]));
  if (sets === undefined) return undefined;
  const [set] = sets.filter(({ type }) => type !== 'TXT');
  if (set === undefined) return { type: 'name-seen', by: 'zone', code: 'NXDOMAIN', values: [], ttlSeconds: null };
  const { values, ttlSeconds, alias } = set;
  const seen = { type: 'name-seen', by: 'zone', code: 'NOERROR', values, ttlSeconds } as const;
  return alias === undefined ? seen : { ...seen, alias: true };
}

async function unlessTrouble<T>(asked: Promise<T> | undefined): Promise<T | undefined> {
  try {
    return await asked;
  } catch (error) {
    if (error instanceof OperationError) return undefined;
    throw error;
  }
}

/** The first record is the name's own; addresses behind an alias are somebody else's, and change. */
function seenIn(by: NameSource, { code, records }: DnsAnswer): NameSeen {
  const [own] = records;
  const values = records.filter(({ type }) => type === own?.type).map(({ value }) => value);
  const first = own?.type === 'CNAME' ? values.slice(0, 1) : values.toSorted();
  return { type: 'name-seen', by, code, values: first, ttlSeconds: own?.ttlSeconds ?? null };
}
