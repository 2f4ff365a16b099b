import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { openSync, readFileSync, writeFileSync } from 'node:fs';
import { get } from 'node:http';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { whereIs } from '../../test/support/needs.ts';
import { siteUrl } from './faulty-site.ts';

/** One probe as a rival reported it; when it began, epoch milliseconds. */
export interface RivalSample {
  readonly at: number;
  readonly good: boolean;
}

/** A probe once a second by another program. */
export interface Rival {
  readonly name: string;
  readonly begin: (folder: string, phase: number) => Running;
}

export interface Running {
  /** Ends it, and gives its samples. */
  readonly end: () => Promise<readonly RivalSample[]>;
}

/** The same for all: an answer after a second is downtime too, and one after ten seconds is none. */
const [timeoutSeconds, slowSeconds] = [10, 1];
const isGood = (status: number, seconds: number) => status === 200 && seconds <= slowSeconds;

/** The specification's loop. */
const curlLoop: Rival = {
  name: 'curl loop',
  begin: (folder, phase) => {
    const log = join(folder, `curl-${phase}.log`);
    const loop = `while :; do date -u +%FT%T.%3NZ; curl -s -o /dev/null -m ${timeoutSeconds} -w '%{http_code} %{time_total}\\n' ${siteUrl}; sleep 1; done`;
    const child = into(log, 'sh', ['-c', loop]);
    return {
      end: async () => {
        await stop(child);
        return [...readFileSync(log, 'utf8').matchAll(/^(\d{4}-\S+Z)\n(\d{3}) ([\d.]+)$/gm)].map(
          ([, at = '', status, seconds]) => ({ at: Date.parse(at), good: isGood(Number(status), Number(seconds)) }),
        );
      },
    };
  },
};

/** A line a probe, without a time: it is taken to have begun when its line came, less the time that it tells. */
const httping: Rival = {
  name: 'httping',
  begin: (folder, phase) => {
    const log = join(folder, `httping-${phase}.log`);
    const words = ['-oL', 'httping', '-G', '-s', '-W', '-i', '1', '-t', `${timeoutSeconds}`, '-g', siteUrl];
    const child = into(log, 'sh', [
      '-c',
      'stdbuf "$@" 2>&1 | while IFS= read -r line; do echo "$(date +%s%3N) $line"; done',
      'sh',
      ...words,
    ]);
    return {
      end: async () => {
        await stop(child);
        return httpingSamples(readFileSync(log, 'utf8'));
      },
    };
  },
};

/**
 * It numbers its probes, and says nothing but reasons of those that failed: what is missing in the numbers has failed,
 * when the first reason came.
 */
function httpingSamples(text: string): readonly RivalSample[] {
  const samples: RivalSample[] = [];
  let next = 0;
  let reasonAt: number | undefined;
  for (const [, at = '', line = ''] of text.matchAll(/^(\d{13}) (.+)$/gm)) {
    const [, number, millis = '', status] = /seq=(\d+) time= *([\d.]+) ms (\d{3})?/.exec(line) ?? [];
    if (number === undefined) reasonAt ??= Number(at);
    else {
      for (; next < Number(number); next += 1) samples.push({ at: reasonAt ?? Number(at), good: false });
      next = Number(number) + 1;
      reasonAt = undefined;
      samples.push({ at: Number(at) - Number(millis), good: isGood(Number(status), Number(millis) / 1000) });
    }
  }
  return samples;
}

/**
 * Asked once a second, as Prometheus does: a scrape may take no longer than the interval, so that a probe of it has a
 * second.
 */
const blackbox: Rival = {
  name: 'blackbox_exporter',
  begin: (folder, phase) => {
    const [settings, port] = [join(folder, `blackbox-${phase}.yml`), 9115 + Math.round(100 * phase)];
    writeFileSync(
      settings,
      'modules: { http: { prober: http, http: { valid_status_codes: [200], preferred_ip_protocol: ip4 } } }\n',
    );
    const words = [`--config.file=${settings}`, `--web.listen-address=127.0.0.1:${port}`];
    const child = into(join(folder, `blackbox-${phase}.log`), 'prometheus-blackbox-exporter', words);
    const url = `http://127.0.0.1:${port}/probe?module=http&target=${encodeURIComponent(siteUrl)}`;
    const samples: RivalSample[] = [];
    const timer = setInterval(() => {
      const at = Date.now();
      void scrape(url).then((good) => samples.push({ at, good }));
    }, 1000);
    return {
      end: async () => {
        clearInterval(timer);
        await sleep(1000 * (slowSeconds + 1));
        await stop(child);
        return samples;
      },
    };
  },
};

function scrape(url: string): Promise<boolean> {
  return new Promise((resolve) => {
    const headers = { 'X-Prometheus-Scrape-Timeout-Seconds': `${slowSeconds}` };
    const request = get(url, { headers, agent: false }, async (response) => {
      const text = Buffer.concat(await Array.fromAsync(response)).toString();
      resolve(/^probe_success 1$/m.test(text));
    });
    request.on('error', () => resolve(false));
  });
}

/** At a constant rate, on new connections, without its cache of names. */
const vegeta: Rival = {
  name: 'vegeta',
  begin: (folder, phase) => {
    const log = join(folder, `vegeta-${phase}.bin`);
    const program = whereIs('vegeta') ?? 'vegeta';
    const options = ['-rate=1/1s', '-duration=0', '-keepalive=false', '-dns-ttl=-1ns', `-timeout=${timeoutSeconds}s`];
    const child = into(log, 'sh', ['-c', `echo "GET ${siteUrl}" | exec "$@"`, 'sh', program, 'attack', ...options]);
    return {
      end: async () => {
        await stop(child, 'SIGINT');
        const { stdout } = spawnSync(program, ['encode', '-to=json', log], { encoding: 'utf8', maxBuffer: 2 ** 28 });
        return stdout
          .split('\n')
          .filter((line) => line.startsWith('{'))
          .map((line) => JSON.parse(line))
          .map(({ timestamp, latency, code }) => ({ at: Date.parse(timestamp), good: isGood(code, latency / 1e9) }));
      },
    };
  },
};

/** Those that are installed; the others are named. */
export function installedRivals(): readonly Rival[] {
  const all = [
    { rival: curlLoop, program: 'curl' },
    { rival: httping, program: 'httping' },
    { rival: blackbox, program: 'prometheus-blackbox-exporter' },
    { rival: vegeta, program: 'vegeta' },
  ];
  for (const { rival, program } of all)
    if (whereIs(program) === undefined) console.log(`Without ${rival.name}: ${program} is not on the PATH.`);
  return all.filter(({ program }) => whereIs(program) !== undefined).map(({ rival }) => rival);
}

function into(log: string, program: string, words: readonly string[]): ChildProcess {
  const out = openSync(log, 'a');
  return spawn(program, words, { stdio: ['ignore', out, 'ignore'], detached: true });
}

/** With all that it started. */
async function stop(child: ChildProcess, signal: NodeJS.Signals = 'SIGTERM'): Promise<void> {
  const ended = new Promise((resolve) => child.once('exit', resolve));
  if (child.pid === undefined || child.exitCode !== null) return;
  process.kill(-child.pid, signal);
  await Promise.race([ended, sleep(3000)]);
}
