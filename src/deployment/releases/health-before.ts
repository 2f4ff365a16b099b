import { checkHealth, type Health, isHealthy } from '../record/health.ts';
import type { DeployEvent } from '../record/states.ts';
import { asReason, loggedError, logSizes, phpError } from '../run/application-error.ts';
import type { Run } from '../run/run.ts';
import type { HealthSettings } from '../settings/settings.ts';
import { inRelease } from './in-release.ts';
import { type PrivateServer, whileServed } from './private-server.ts';
import type { Release } from './release.ts';

/**
 * Asks a release that no visitor has seen: PHP's own server shows it to this machine alone, under the name and with the
 * rules of the health check. False where it fails, where the run then goes back; true where the settings do not ask for
 * it. A server that cannot be started is an `OperationError`, which says nothing of the commit.
 */
export async function isHealthyBefore(run: Run, release: Release): Promise<boolean> {
  if (!run.settings.health.before) return true;
  const checked = await checkBefore(inRelease(run, release), release.commit);
  return (await run.progress.advance(checked)) === 'reset';
}

async function checkBefore(inside: Run, commit: string): Promise<DeployEvent> {
  const { host, settings, progress } = inside;
  const startedSeconds = host.clock.monotonicSeconds();
  const at = new Date(host.clock.wallAt()).toISOString();
  const [first = '', ...others] = settings.healthUrls;
  const urls = [first, ...others.filter((url) => new URL(url).origin === new URL(first).origin)];
  const health = await whileServed(inside, first.startsWith('https:'), (server) => ask(inside, urls, server));
  const seconds = host.clock.monotonicSeconds() - startedSeconds;
  progress.finishStep({ name: stepName, seconds, exitCode: isHealthy(health) ? 0 : 1 });
  return { type: 'health-checked-before', commit, ...health, at, seconds };
}

/** As in `steps` and `failedStep` of `deploy --json`. */
export const stepName = 'health before';

async function ask(inside: Run, urls: readonly string[], { origin, output }: PrivateServer): Promise<Health> {
  const { host, settings, interruption } = inside;
  const logs = await logSizes(inside);
  const moved = urls.map((url) => addressAt(origin, url));
  const found = await checkHealth(host, moved, rulesFor(urls[0] ?? '', settings.health), undefined, interruption);
  if (isHealthy(found) || found.doubt !== undefined) return found;
  const reason = (await loggedError(inside, logs)) ?? (await printedError(inside, await output()));
  return reason === undefined ? found : { ...found, reason };
}

async function printedError(inside: Run, output: string): Promise<string | undefined> {
  const error = phpError(output);
  return error === undefined ? undefined : asReason(inside, error);
}

/** The same path and the same name and password, at the private server. */
function addressAt(origin: string, url: string): string {
  const { pathname, search, username, password } = new URL(url);
  const moved = new URL(`${pathname}${search}`, origin);
  moved.username = username;
  moved.password = password;
  return moved.href;
}

/**
 * The application is asked under the name that visitors use; the private server has no certificate, and a redirect
 * would lead away from it.
 */
function rulesFor(url: string, health: HealthSettings): HealthSettings {
  const { cacert: _cacert, insecure: _insecure, resolve: _resolve, ...others } = health;
  const { ipv4: _ipv4, ipv6: _ipv6, proxy: _proxy, location: _location, ...rules } = others;
  return { ...rules, proxy: '', headers: [...(rules.headers ?? []), { name: 'Host', value: new URL(url).host }] };
}
