import * as z from 'zod';
import { listenForSignals } from '../../deployment/run/signals.ts';
import { deploymentSchema } from '../../deployment/settings/schema.ts';
import { type ServersSettings, serversSchema } from '../../deployment/settings/servers.ts';
import { flagNames } from '../../deployment/settings/sources.ts';
import type { Fleet, Task } from '../../fleet/fleet.ts';
import { fleetStatus } from '../../fleet/fleet-status.ts';
import type { HostLine } from '../../fleet/host-lines.ts';
import { type Common, optionTrouble, readServers } from '../../fleet/read-servers.ts';
import type { Remote } from '../../fleet/remote.ts';
import { rollOut } from '../../fleet/roll-out.ts';
import type { Server } from '../../fleet/server.ts';
import { UsageError } from '../../host/errors.ts';
import { readSettings, type Read as SettingsRead } from '../../settings/read-settings.ts';
import { asUsageError } from '../command/as-usage-error.ts';
import type { RawArguments } from '../command/command.ts';
import type { Context } from '../command/context.ts';
import { readConfiguration } from '../settings/configuration.ts';
import { talkative } from '../settings/read-deployment.ts';
import { serversProgress } from './servers-progress.ts';
import { rollOutText, statusText } from './servers-text.ts';

/** Whether the command is for servers, and not for this machine: only where they are named on the command line. */
export function isForServers({ options }: RawArguments): boolean {
  return options.host !== undefined || options.hosts !== undefined;
}

/** Options that only make sense with servers. */
const ofServers = ['batch', 'allOrNothing', 'sshCommand', 'drain', 'restore'] as const;

/** Without servers the options for them are mistakes, so that no deploy of this machine is begun by one. */
export function refuseServerOptions({ options }: RawArguments): void {
  const typed = ofServers.filter((name) => options[name] !== undefined);
  if (typed.length > 0 && !isForServers({ options, operands: [] }))
    throw new UsageError(typed.map((name) => `${dashed(name)} is for servers: name them with --host or --hosts.`));
}

/** `deploy` and `rollback` of servers. */
export async function onServers(context: Context, given: RawArguments, task: Task): Promise<number> {
  const { servers, settings } = await readAll(context, given);
  const { host, flags } = context;
  const progress = serversProgress({ ...context, host: talkative(context) }, servers, flags.json);
  const signals = listenForSignals(progress.host);
  const fleet: Fleet = {
    remote: remoteOf(context, settings),
    settings,
    version: context.version,
    dryRun: given.options.dryRun === true,
    onFact: progress.onFact,
    received: signals.received,
  };
  try {
    const document = await rollOut(fleet, servers, task);
    progress.end();
    host.out.write(flags.json ? `${JSON.stringify(document)}\n` : rollOutText(document, host.out, fleet));
    return document.exitCode;
  } finally {
    progress.end();
    signals.forget();
  }
}

/** `status` of servers: exit 1 if something is wrong with one of them, or if they show different commits. */
export async function statusOnServers(context: Context, given: RawArguments): Promise<number> {
  const { servers, settings } = await readAll(context, given);
  const status = await fleetStatus(remoteOf(context, settings), servers);
  const { host, flags } = context;
  host.out.write(flags.json ? `${JSON.stringify(status)}\n` : statusText(status, host.out));
  return status.exitCode;
}

function remoteOf({ host, environment }: Context, { sshCommand }: ServersSettings): Remote {
  const given = Object.entries(environment).filter((entry): entry is [string, string] => entry[1] !== undefined);
  return { host, environment: Object.fromEntries(given), sshCommand };
}

interface Read {
  readonly servers: readonly Server[];
  readonly settings: ServersSettings;
}

/** The servers and how they are reached, or everything that is wrong with either. */
async function readAll(context: Context, { options }: RawArguments): Promise<Read> {
  const { deployment, mistakes: ofFile } = await readConfiguration(context);
  const typed = Object.fromEntries(
    ofServers.flatMap((name) => (options[name] === undefined ? [] : [[name, options[name]]])),
  );
  const settings = readSettings(serversSchema, { ...serversIn(deployment), ...typed }, 'deployment.servers');
  const sent = Object.fromEntries(Object.entries(options).filter(([name]) => name in flagNames));
  const { lines, mistakes: ofList } = await hostLines(context, options);
  const servers = readServers(lines, commonOf(sent, settings));
  const mistakes = new Set([
    ...ofFile,
    ...mistakesIn(readSettings(deploymentSchema, deployment, 'deployment')),
    ...mistakesIn(settings),
    ...optionTrouble(sent).map((mistake) => `the options for the servers: ${mistake}`),
    ...(ofList.length > 0 ? ofList : mistakesIn(servers)),
  ]);
  if (mistakes.size > 0 || !('settings' in servers) || !('settings' in settings)) throw new UsageError([...mistakes]);
  return { servers: servers.settings, settings: settings.settings };
}

const mistakesIn = (read: object): readonly string[] =>
  'mistakes' in read ? (read.mistakes as readonly string[]) : [];

/** What all servers have in common. A switch is an option without a value. */
function commonOf(sent: RawArguments['options'], read: SettingsRead<ServersSettings>): Common {
  const { program, config } = 'settings' in read ? read.settings : serversSchema.parse({});
  const texts = Object.entries(sent).map(([name, value]) => [name, value === true ? '' : String(value)]);
  return { options: Object.fromEntries(texts), program, ...(config === undefined ? {} : { config }) };
}

function serversIn(deployment: object): object {
  const { servers } = deployment as { readonly servers?: unknown };
  return typeof servers === 'object' && servers !== null ? servers : {};
}

async function hostLines(
  { host }: Context,
  options: RawArguments['options'],
): Promise<{ readonly lines: readonly HostLine[]; readonly mistakes: readonly string[] }> {
  const named = z.array(z.string()).catch([]).parse(options.host);
  const typed = named.map((text) => ({ place: `--host ${text}`, text }));
  if (typeof options.hosts !== 'string') return { lines: typed, mistakes: [] };
  const path = options.hosts;
  const text = await host.files
    .read(path, { mayBePipe: true })
    .catch(asUsageError('the list of servers cannot be read', 'name another file with --hosts'));
  if (text === undefined) return { lines: typed, mistakes: [`--hosts: there is no file ${path}.`] };
  const ofFile = text.split('\n').map((line, index) => ({ place: `${path}:${index + 1}`, text: line }));
  return { lines: [...typed, ...ofFile], mistakes: [] };
}

const dashed = (name: string): string => `--${name.replaceAll(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)}`;
