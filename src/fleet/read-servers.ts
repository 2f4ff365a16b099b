import { deploymentSchema } from '../deployment/settings/schema.ts';
import { flagNames, merged } from '../deployment/settings/sources.ts';
import { type Read, readSettings } from '../settings/read-settings.ts';
import { type HostLine, readHostLine, type WrittenHost } from './host-lines.ts';
import type { Server } from './server.ts';

/** What all servers have in common: the options that were typed, the program and its settings file. */
export interface Common {
  readonly options: Readonly<Record<string, string>>;
  readonly program: string;
  readonly config?: string;
}

/** Options of the whole deploy: no server has its own. */
const ofTheWhole = ['ifChanged', 'again', 'message', 'clean'];
const ownOptions = Object.keys(flagNames).filter((flag) => !ofTheWhole.includes(flag));
/** The keys of a line: options without their dashes, and what reaches the program. */
export const overrideKeys: readonly string[] = [...ownOptions.map(kebab), 'config', 'program'];

/**
 * The servers of these lines in their order, or everything that is wrong, one sentence each. A line `*` is for all of
 * them.
 */
export function readServers(lines: readonly HostLine[], common: Common): Read<readonly Server[]> {
  const read = lines.map((line) => readHostLine(line, overrideKeys));
  const written = read.flatMap(({ host }) => host ?? []);
  const named = written.filter((one) => !isForAll(one));
  const defaults = new Map(written.filter(isForAll).flatMap(({ overrides }) => [...overrides]));
  const mistakes = read.flatMap((line) => [...line.mistakes, ...(line.host ? troubleWith(line.host, named) : [])]);
  if (mistakes.length > 0) return { mistakes };
  if (named.length === 0)
    return { mistakes: ['there is no server: name some with --host, or in the file of --hosts.'] };
  return { settings: named.map((one) => serverOf(one, defaults, common)) };
}

function troubleWith(host: WrittenHost, named: readonly WrittenHost[]): readonly string[] {
  const { place, overrides } = host;
  const trouble = isForAll(host) ? [] : [...nameTrouble(host), ...twice(host, named)];
  return [...trouble, ...optionTrouble(optionsIn(overrides))].map((sentence) => `${place}: ${sentence}`);
}

const isForAll = ({ name }: WrittenHost): boolean => name === '*';

const form =
  /^(?:(?<user>\w[\w.-]*\$?)@)?(?:\[(?<address>[\dA-Fa-f:.]+(?:%\w+)?)\]|(?<host>\w[\w.-]*))(?::(?<port>\d{1,5}))?$/;

function nameTrouble({ name }: WrittenHost): readonly string[] {
  const { port } = form.exec(name)?.groups ?? {};
  if (!form.test(name)) return [`${JSON.stringify(name)} is not [USER@]HOST[:PORT]; IPv6 stands in brackets.`];
  const isPort = port === undefined || (Number(port) >= 1 && Number(port) <= 65_535);
  return isPort ? [] : [`${port} is not a port from 1 to 65535.`];
}

function twice(host: WrittenHost, named: readonly WrittenHost[]): readonly string[] {
  const first = named.find(({ name }) => spelling(name) === spelling(host.name));
  return first === undefined || first === host ? [] : [`${host.name} is there already, at ${first.place}.`];
}

/** A host is the same in capitals (RFC 4343), and so is an address of IPv6; a user is not. */
const spelling = (name: string): string =>
  name.slice(0, name.indexOf('@') + 1) + name.slice(name.indexOf('@') + 1).toLowerCase();

/** `scheme://user:password@`. */
const withPassword = /:\/\/[^/\s@]*:[^/\s@]*@/;

/** What is wrong with options that are sent to a server, one sentence each. */
export function optionTrouble(options: Readonly<Record<string, unknown>>): readonly string[] {
  const exposed = Object.entries(options).filter(([, value]) => withPassword.test(String(value)));
  if (exposed.length > 0)
    return exposed.map(
      ([key]) =>
        `${kebab(key)} holds a password, which the list of processes of the server would show: write it into the settings file there.`,
    );
  const read = readSettings(deploymentSchema, merged({ flags: options, environment: {}, file: {} }), '');
  return 'mistakes' in read ? read.mistakes : [];
}

function serverOf(written: WrittenHost, defaults: ReadonlyMap<string, string>, common: Common): Server {
  const { user, address, host = address ?? '', port } = form.exec(written.name)?.groups ?? {};
  const overrides = new Map([...defaults, ...written.overrides]);
  const config = overrides.get('config') ?? common.config;
  return {
    name: written.name,
    ...(user === undefined ? {} : { user }),
    host,
    ...(port === undefined ? {} : { port: Number(port) }),
    program: (overrides.get('program') ?? common.program).trim().split(/\s+/),
    ...(config === undefined ? {} : { config }),
    options: { ...common.options, ...optionsIn(overrides) },
  };
}

function optionsIn(overrides: ReadonlyMap<string, string>): Readonly<Record<string, string>> {
  return Object.fromEntries(
    ownOptions.flatMap((flag) => {
      const value = overrides.get(kebab(flag));
      return value === undefined ? [] : [[flag, value]];
    }),
  );
}

/** `healthUrl` becomes `health-url`. */
export function kebab(flag: string): string {
  return flag.replaceAll(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`);
}
