import type { Files } from '../../host/host.ts';
import { readAuthorities } from '../../host/read-authorities.ts';
import { contradictionIn } from '../../settings/request-options.ts';

/**
 * Mistakes in the options of a request that a schema cannot find, one sentence each that begins with the name of an
 * option. They are listed with the mistakes of the schema, so members of a wrong type are skipped here.
 */
export async function requestMistakes(files: Pick<Files, 'read'>, given: unknown): Promise<readonly string[]> {
  const { ipv4, ipv6, cacert } = (given ?? {}) as Readonly<Record<string, unknown>>;
  const contradiction = contradictionIn({ ipv4: ipv4 === true, ipv6: ipv6 === true });
  const read = typeof cacert === 'string' && cacert !== '' ? await readAuthorities(files, cacert) : {};
  return [
    ...(contradiction === undefined ? [] : [`${contradiction}.`]),
    ...('mistake' in read ? [`cacert ${read.mistake}.`] : []),
  ];
}
