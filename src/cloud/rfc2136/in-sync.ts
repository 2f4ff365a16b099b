import { OperationError } from '../../host/errors.ts';
import type { Host } from '../../host/host.ts';
import type { HostedZone } from '../cloud.ts';
import { exchange } from './ask.ts';
import { encodeRequest, opcodes, readMessage, types } from './message.ts';

/** A secondary that missed the NOTIFY asks after the zone's refresh interval; the same limit as for Route 53. */
const withinSeconds = 300;
const pollSeconds = 2;

/**
 * Resolves when every authoritative server of the zone has this serial or a later one; the signal ends only the
 * waiting.
 */
export async function inSync(
  host: Pick<Host, 'exchange' | 'resolve' | 'clock' | 'random'>,
  { name, nameServers }: HostedZone,
  serial: number,
  signal: AbortSignal | undefined,
): Promise<void> {
  const endsAt = host.clock.monotonicSeconds() + withinSeconds;
  let behind = nameServers;
  for (;;) {
    const each = await Promise.all(
      behind.map(async (server) => ((await hasSerial(host, name, server, serial)) ? [] : [server])),
    );
    behind = each.flat();
    if (behind.length === 0) return;
    if (host.clock.monotonicSeconds() >= endsAt) break;
    await host.clock.sleep(pollSeconds, signal);
  }
  const reason = `${behind.join(', ')} did not show serial ${serial} within ${withinSeconds} s`;
  throw new OperationError({
    tried: 'Updating',
    on: name,
    reason,
    next: 'see whether the zone is transferred to them, and whether their port 53 can be reached',
  });
}

async function hasSerial(
  host: Pick<Host, 'exchange' | 'resolve' | 'random'>,
  zone: string,
  server: string,
  serial: number,
): Promise<boolean> {
  const { records } = await host.resolve({ name: server, type: 'A' });
  const address = records.find(({ type }) => type === 'A')?.value;
  if (address === undefined) return false;
  const id = Math.floor(host.random('dns')() * 0x1_0000);
  const question = { name: zone, type: types.SOA };
  try {
    const { answers } = readMessage(
      await exchange(host, address, encodeRequest({ id, opcode: opcodes.query, question })),
    );
    const soa = answers.find(({ type }) => type === types.SOA);
    return soa !== undefined && isAtLeast(serialOf(soa.data), serial);
  } catch (error) {
    if (error instanceof OperationError || error instanceof RangeError) return false;
    throw error;
  }
}

/** RFC 1035, section 3.3.13: the serial is the first of the five numbers at the end of a SOA. */
export const serialOf = (soa: Buffer): number => soa.readUInt32BE(soa.length - 20);

/** RFC 1982, section 3.2: serials count modulo 2³². */
export const isAtLeast = (serial: number, least: number): boolean => (serial - least) >>> 0 < 0x8000_0000;
