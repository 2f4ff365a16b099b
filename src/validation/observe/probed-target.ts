import { OperationError } from '../../host/errors.ts';
import type { Host, Target } from '../../host/host.ts';
import { readRequestFiles } from '../../host/read-request-files.ts';
import { targetOptions } from '../../settings/request-options.ts';
import type { Settings } from '../settings.ts';

/**
 * The target of a run's probes. They use no proxy of the environment, because visitors use none. Files of theirs that
 * cannot be read are an `OperationError`.
 */
export async function probedTarget({ files }: Pick<Host, 'files'>, { url, monitor }: Settings): Promise<Target> {
  const { body } = monitor;
  const read = await readRequestFiles(files, monitor);
  if ('mistakes' in read) {
    const [option, mistake] = read.mistakes[0] ?? [];
    throw new OperationError({ tried: 'Reading', on: `validation.monitor.${option}`, reason: `it ${mistake}` });
  }
  return { url, ...(body === null ? {} : { body }), ...targetOptions(monitor), ...read.held };
}

/** What the page has to do: `begin with 'Welcome' and contain 'shop'`. */
export function wantedPage({ body, bodyContains }: Settings['monitor']): string {
  const wanted = [
    ...(body === null ? [] : [`begin with '${body}'`]),
    ...(bodyContains === undefined ? [] : [`contain '${bodyContains}'`]),
  ];
  return wanted.join(' and ');
}
