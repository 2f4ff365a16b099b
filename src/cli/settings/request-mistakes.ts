import type { Files } from '../../host/host.ts';
import { readAuthorities } from '../../host/read-authorities.ts';
import { contradictionIn } from '../../settings/request-options.ts';

/**
 * What no schema sees in the options of a request, one sentence each that begins with the name of an option: so they may be asked for beside
 * the mistakes that a schema finds. Members of another type are passed over.
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
