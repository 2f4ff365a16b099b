import { spawnSync } from 'node:child_process';
import { globSync, mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { whereIs } from '../test/support/needs.ts';

/** A program that makes many requests on many kept connections. */
export interface LoadClient {
  readonly name: string;
  readonly command: (requests: number, connections: number, url: string) => readonly string[];
  /** What it says of the requests, from what it printed: by status, and those without an answer. */
  readonly counts: (output: string) => string;
}

const generator = join(import.meta.dirname, '../src/host/load/load.ts');
const bareLoop = join(import.meta.dirname, 'bare-load.ts');
const prober = join(import.meta.dirname, '../src/host/probe/probe.ts');
/**
 * With the compile cache, as `bin/holdfast.js` has it. With `HOLDFAST_PROBES` and `HOLDFAST_EDGES` it has probed as
 * often before, as a run has that comes to its load; with `HOLDFAST_BARE` the load is that of sockets alone.
 */
const ownProgram = `
  import { enableCompileCache } from 'node:module';
  enableCompileCache();
  const { load } = await import(process.env.HOLDFAST_BARE ? ${JSON.stringify(bareLoop)} : ${JSON.stringify(generator)});
  const [requests, concurrency, url] = process.argv.slice(1);
  const probe = (await import(${JSON.stringify(prober)})).prober();
  for (let left = Number(process.env.HOLDFAST_PROBES ?? 0); left > 0; left--) {
    await probe({ url }, 'new', 10);
    await probe({ url }, 'reused', 10);
  }
  for (let left = Number(process.env.HOLDFAST_EDGES ?? 0); left > 0; left--) await probe({ url }, 'new', 10);
  const [cpu, begun] = [process.cpuUsage(), performance.now()];
  const { statuses, errors } = await load({ url, requests: +requests, concurrency: +concurrency, timeoutSeconds: 10 });
  const { user, system } = process.cpuUsage(cpu);
  console.error('load ' + (performance.now() - begun) / 1000 + ' ' + (user + system) / 1e6);
  console.log(JSON.stringify({ ...statuses, ...errors }));`;

export const own: LoadClient = {
  name: 'holdfast',
  command: (requests, connections, url) => [
    ...[process.execPath, '--input-type=module', '-e', ownProgram],
    ...[String(requests), String(connections), url],
  ],
  counts: (output) => output.trim(),
};

/**
 * hey, ab and autocannon. One that is not installed is fetched into that folder for this run; one that cannot be
 * fetched is reported and left out.
 */
export function peersIn(folder: string): readonly LoadClient[] {
  mkdirSync(folder, { recursive: true });
  const peers = [heyIn(folder), abIn(folder), autocannonIn(folder)];
  return peers.filter((peer) => peer !== undefined);
}

function heyIn(folder: string): LoadClient | undefined {
  const program = programIn(folder, 'hey', ['hey']);
  if (program === undefined) return undefined;
  return {
    name: 'hey',
    command: (requests, connections, url) => [...program, '-n', String(requests), '-c', String(connections), url],
    counts: (output) => {
      const [answers, errors = ''] = output.split('Error distribution:');
      const statuses = [...(answers ?? '').matchAll(/\[(\d+)\]\s+(\d+) responses/g)];
      const failed = [...errors.matchAll(/\[(\d+)\]\s/g)].reduce((sum, [, count]) => sum + Number(count), 0);
      return [...statuses.map(([, status, count]) => `${status}: ${count}`), `errors: ${failed}`].join(', ');
    },
  };
}

function abIn(folder: string): LoadClient | undefined {
  const program = programIn(folder, 'ab', ['apache2-utils', 'libapr1', 'libaprutil1']);
  if (program === undefined) return undefined;
  const options = ['-q', '-k', '-r', '-l'];
  return {
    name: 'ab -k',
    command: (requests, connections, url) => [
      ...program,
      ...[...options, '-n', String(requests), '-c', String(connections), url],
    ],
    counts: (output) =>
      [...output.matchAll(/^(Complete requests|Failed requests|Non-2xx responses):\s+(\d+)/gm)]
        .map(([, what, count]) => `${what} ${count}`)
        .join(', '),
  };
}

/** Of a Debian package where it is not installed: unpacked, with the libraries that it needs beside it. */
function programIn(folder: string, name: string, packages: readonly string[]): readonly string[] | undefined {
  const installed = whereIs(name);
  if (installed !== undefined) return [installed];
  const unpack = 'cd "$1" && shift && apt-get download "$@" && for each in *.deb; do dpkg -x "$each" .; done';
  spawnSync('sh', ['-c', unpack, 'sh', folder, ...packages], { stdio: 'ignore' });
  const libraries = globSync(join(folder, 'usr/lib/*-linux-gnu*')).join(':');
  const words = ['env', `LD_LIBRARY_PATH=${libraries}`, join(folder, 'usr/bin', name)];
  // env(1) ends with 127 when there is no such program, and so does a program that lacks a library.
  if (spawnSync('env', [...words.slice(1), '-h'], { stdio: 'ignore' }).status !== 127) return words;
  console.log(`Without ${name}: it is not installed, and could not be fetched (apt-get install ${packages[0]}).`);
  return undefined;
}

function autocannonIn(folder: string): LoadClient | undefined {
  const words = ['install', '--prefix', folder, '--no-audit', '--no-fund', 'autocannon@8'];
  if (spawnSync('npm', words, { stdio: 'ignore' }).status !== 0) {
    console.log('Without autocannon: npm could not fetch it.');
    return undefined;
  }
  const program = join(folder, 'node_modules/autocannon/autocannon.js');
  return {
    name: 'autocannon',
    command: (requests, connections, url) => [
      ...[process.execPath, program, '-j'],
      ...['-a', String(requests), '-c', String(connections), url],
    ],
    counts: (output) => {
      const { '2xx': good, '5xx': bad, errors, resets } = JSON.parse(output);
      return JSON.stringify({ '2xx': good, '5xx': bad, errors, resets });
    },
  };
}
