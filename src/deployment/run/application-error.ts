import { applicationIn } from '../settings/subfolder.ts';
import type { Run, Workspace } from './run.ts';

type Where = Pick<Workspace, 'host' | 'checkout' | 'settings'>;

/** How large each log of the application is, by its path. */
export type LogSizes = ReadonlyMap<string, number>;

export async function logSizes(run: Where): Promise<LogSizes> {
  const { files } = run.host;
  const paths = await logPaths(run);
  const sizes = await Promise.all(paths.map(async (path) => [path, (await files.stat(path))?.sizeBytes ?? 0] as const));
  return new Map(sizes);
}

/**
 * The last error that the application has written to its logs since they had these sizes, in one line; undefined where
 * there is none.
 */
export async function loggedError(run: Run, before: LogSizes): Promise<string | undefined> {
  for (const path of await logPaths(run)) {
    const text = await textSince(run, path, before.get(path) ?? 0).catch(() => '');
    const error = lastError(text) ?? phpError(text);
    if (error !== undefined) return asReason(run, error);
  }
  return undefined;
}

/** The text without the values of the application's own secrets, and with paths from the checkout's top. */
export async function asReason(where: Where, text: string): Promise<string> {
  const hidden = (await secretsOf(where)).reduce((shown, secret) => shown.replaceAll(secret, '[redacted]'), text);
  return hidden.replaceAll(`${where.checkout.directory}/`, '').slice(0, longest);
}

/** A sentence, not a page. */
const longest = 400;
/** Enough for one exception with its trace. */
const tailBytes = 64 * 1024;

/**
 * The logs of the settings, and those that Laravel makes for each day: `laravel-2026-11-20.log` beside `laravel.log`.
 */
async function logPaths({ host, checkout, settings }: Where): Promise<readonly string[]> {
  const found: string[] = [];
  for (const log of settings.logs) {
    const path = `${checkout.directory}/${log}`;
    const [folder, name] = [path.slice(0, path.lastIndexOf('/')), path.slice(path.lastIndexOf('/') + 1)];
    const stem = name.replace(/\.[^.]*$/, '');
    const days = (await host.files.list(folder)).filter((other) =>
      /^-\d{4}-\d\d-\d\d\.[^.]*$/.test(other.replace(stem, '')),
    );
    found.push(path, ...days.slice(-1).map((other) => `${folder}/${other}`));
  }
  return found;
}

/** A log that is smaller than before was begun anew. */
async function textSince({ host }: Where, path: string, sizeBefore: number): Promise<string> {
  const size = (await host.files.stat(path))?.sizeBytes ?? 0;
  const from = Math.max(size < sizeBefore ? 0 : sizeBefore, size - tailBytes);
  if (size === from) return '';
  const decoder = new TextDecoder();
  let text = '';
  for await (const piece of host.files.chunks(path, from)) text += decoder.decode(piece, { stream: true });
  return text;
}

/**
 * The last error in the log of Monolog, the logger of Laravel and Symfony: the exception where it names one, otherwise
 * the message.
 */
export function lastError(log: string): string | undefined {
  const line = [...log.matchAll(/^\[[^\]]+\] [\w-]+\.(?:ERROR|CRITICAL|ALERT|EMERGENCY): (.*)$/gm)].at(-1)?.[1];
  if (line === undefined) return undefined;
  const [, name, message, place] =
    /"exception":"\[object\] \(([^\s(]+)\(code: [^)]*\): (.*) at (\S+:\d+)\)/.exec(line) ?? [];
  const text = name === undefined ? line.replace(/ \{".*$/, '') : `${name}: ${message} at ${place}`;
  return text.replaceAll('\\\\', '\\').replaceAll('\\/', '/').trim();
}

/** The last fatal error that PHP itself has written, to its own log or to nginx's. */
export function phpError(output: string): string | undefined {
  const line = [...output.matchAll(/PHP (?:Fatal|Parse|Compile) error: +(.*)/g)].at(-1)?.[1];
  return line?.replace(/" while reading .*$/, '').trim();
}

/**
 * What a command's output says of its failure, in one line: the exception that a console of PHP shows, PHP's own fatal
 * error, or the last line. Undefined where it says nothing.
 */
export function errorShown(output: string): string | undefined {
  const last = output.trim().split('\n').at(-1)?.trim();
  return symfonyError(output) ?? collisionError(output) ?? phpError(output) ?? (last || undefined);
}

/** `In Router.php line 7:`, and the message in lines of the terminal's width (Symfony's console). */
function symfonyError(output: string): string | undefined {
  const [, place, line, message = ''] = /^In (\S+) line (\d+):\s*\n((?:[ \t]+[^\n]*\n|[ \t]*\n)+)/m.exec(output) ?? [];
  const text = unwrapped(message.split('\n').map((each) => each.slice(2, -2)));
  return place === undefined || text === '' ? undefined : `${text} at ${place}:${line}`;
}

/** A line that ends with no space was cut at the width of the terminal, within a word or not. */
function unwrapped(lines: readonly string[]): string {
  const whole = lines.map((line) => (/\S$/.test(line) ? line : `${line.trimEnd()} `)).join('');
  return whole.replaceAll(/\s+/g, ' ').trim();
}

/** The name of the exception, an empty line, and the message (nunomaduro/collision). */
function collisionError(output: string): string | undefined {
  const [, name, message] = /^ {3}([\w\\]+(?:Exception|Error)) *\n *\n {2}(\S.*)$/m.exec(output) ?? [];
  return name === undefined ? undefined : `${name}: ${message?.trim()}`;
}

/**
 * Those in the environment of the commands, and in the files of the application's settings (`.env.local`,
 * `.env.production`); the longest first.
 */
async function secretsOf({ host, checkout, settings }: Where): Promise<readonly string[]> {
  const directory = applicationIn(checkout.directory, settings);
  const names = (await host.files.list(directory)).filter((name) => /^\.env(?!\.(?:example|dist)$)/.test(name));
  const read = (name: string) => host.files.read(`${directory}/${name}`).catch(() => undefined);
  const texts = await Promise.all(names.map(read));
  const entries = [...Object.entries(settings.environment), ...texts.flatMap((text) => entriesIn(text ?? ''))];
  return entries.flatMap(secretsIn).toSorted((one, other) => other.length - one.length);
}

function entriesIn(settings: string): readonly (readonly [name: string, value: string])[] {
  const lines = settings.matchAll(/^\s*(?:export\s+)?(\w+)\s*=\s*(.*?)\s*$/gm);
  return [...lines].map(([, name = '', value = '']) => [name, value.replace(/^(["'])(.*)\1$/, '$2')]);
}

/** A value whose name says that it is secret, and the password in an address, as `DATABASE_URL` has one. */
function secretsIn([name, value]: readonly [string, string]): readonly string[] {
  const named = /KEY|SECRET|PASS|TOKEN|CREDENTIAL|DSN/.test(name) ? [value] : [];
  const [, password = ''] = /^[a-z][\w+.-]*:\/\/[^/\s@]*?:([^\s]+)@/i.exec(value) ?? [];
  return [...named, password, decoded(password)].filter(({ length }) => length >= shortestSecret);
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

/** Shorter values are also ordinary words. */
const shortestSecret = 6;
