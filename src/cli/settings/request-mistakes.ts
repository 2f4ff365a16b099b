import type { Files } from '../../host/host.ts';
import { type RequestFiles, readRequestFiles } from '../../host/read-request-files.ts';
import { contradictionIn } from '../../settings/request-options.ts';

/**
 * Mistakes in the options of a request that a schema cannot find, one sentence each that begins with the name of an
 * option. They are listed with the mistakes of the schema, so members of a wrong type are skipped here.
 */
export async function requestMistakes(files: Pick<Files, 'read'>, given: unknown): Promise<readonly string[]> {
  const options = (given ?? {}) as Readonly<Record<string, unknown>>;
  const contradiction = contradictionIn(options);
  const read = await readRequestFiles(files, namedFiles(options));
  return [
    ...(contradiction === undefined ? [] : [`${contradiction}.`]),
    ...('mistakes' in read ? read.mistakes.map(([option, mistake]) => `${option} ${mistake}.`) : []),
  ];
}

function namedFiles({ cacert, cert, key, data }: Readonly<Record<string, unknown>>): RequestFiles {
  const named = Object.entries({ cacert, cert, key }).filter(([, path]) => typeof path === 'string' && path !== '');
  const isData = Array.isArray(data) && data.every((one) => typeof one === 'string');
  return { ...Object.fromEntries(named), ...(isData ? { data } : {}) };
}
