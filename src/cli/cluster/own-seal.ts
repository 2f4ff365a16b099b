import { ownIds } from '../../host/caller.ts';
import { OperationError } from '../../host/errors.ts';
import { newKey, type Seal, sealBy } from '../../host/seal.ts';
import type { Context } from '../command/context.ts';

/** What is sealed in a run folder. */
export interface RunSeals {
  readonly settings: Seal;
  /** Of the journal of the run with these settings: lines of another run are not taken for its own. */
  journalOf(settings: { readonly seal?: unknown }): Seal;
}
/** The seals of this user on this machine, or a sentence why there are none. */
export type OwnSeals = RunSeals | { readonly because: string };

type Where = Pick<Context, 'host' | 'environment'>;

/** By the key that this user's first run made. A key that others could read or write is none. */
export async function ownSeals({ host: { files }, environment }: Where): Promise<OwnSeals> {
  const path = keyPath(environment);
  if (path === undefined) return { because: 'neither HOME nor XDG_STATE_HOME is set.' };
  const read = await files.readUntrusted(path, { mostBytes: 100, owners: ownIds(environment) });
  if (read === undefined) return { because: `there is no key ${path} of an earlier run.` };
  if ('refused' in read) return { because: `the key ${path} cannot be used: ${read.refused}.` };
  if (((await files.stat(path))?.mode ?? 0o777) & 0o077)
    return { because: `the key ${path} cannot be used: others may read it.` };
  if (!/^[0-9a-f]{64}$/.test(read.text)) return { because: `the key ${path} cannot be used: it is damaged.` };
  return sealsBy(read.text);
}

/** As `ownSeals`, and makes the key if there is none. */
export async function makeOwnSeals(context: Where): Promise<OwnSeals> {
  const { files } = context.host;
  const path = keyPath(context.environment);
  if (path === undefined || (await files.stat(path).catch(() => undefined)) !== undefined) return ownSeals(context);
  try {
    await files.makeFolder(path.slice(0, path.lastIndexOf('/')), { mode: 0o700 });
    await files.create(path, newKey(), { mode: 0o600 });
  } catch (error) {
    if (!(error instanceof OperationError)) throw error;
    return { because: error.message };
  }
  return ownSeals(context);
}

function sealsBy(key: string): RunSeals {
  return {
    settings: sealBy(key, 'settings'),
    journalOf: ({ seal }) => sealBy(key, `journal of ${String(seal)}`),
  };
}

/** XDG Base Directory Specification: what has to outlast the process, and is not worth a backup. */
function keyPath({ XDG_STATE_HOME, HOME }: Context['environment']): string | undefined {
  if (XDG_STATE_HOME?.startsWith('/')) return `${XDG_STATE_HOME}/holdfast/key`;
  return HOME?.startsWith('/') ? `${HOME}/.local/state/holdfast/key` : undefined;
}
