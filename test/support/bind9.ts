import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import type { TestContext } from 'node:test';
import { accepts } from './accepts.ts';
import { freePort } from './free-port.ts';
import { whereIs } from './needs.ts';
import { temporaryFolder } from './temporary-folder.ts';

/**
 * Two real BIND 9 servers of the zone example.test: a primary that takes updates signed by the key, and a secondary.
 */
export interface Bind9 {
  /** `address:port` of each on loopback. */
  readonly primary: string;
  readonly secondary: string;
  /** The addresses that the zone gives for its servers, and where they really are. */
  readonly published: Readonly<Record<string, string>>;
  readonly keyFile: string;
  /** The secondary answers no longer, or again. */
  readonly freezeSecondary: () => void;
  readonly thawSecondary: () => void;
  /** The records of that name and type, as dig(1) prints them. */
  readonly dig: (server: string, name: string, type: string) => string;
}

const zoneFile = `$TTL 300
@ SOA ns1 root 7 3600 900 604800 60
@ NS ns1
@ NS ns2
ns1 A 192.0.2.53
ns2 A 192.0.2.54
app A 192.0.2.1
app A 192.0.2.2
a-app 120 TXT "heritage=external-dns,external-dns/owner=default"
other TXT "somebody else's; with \\"quotes\\" and a \\\\ backslash"
`;

export async function bind9(t: TestContext): Promise<Bind9> {
  const folder = temporaryFolder(t);
  const [first, second] = [await freePort(), await freePort()];
  const keyFile = `${folder}/update.key`;
  writeFileSync(keyFile, run('tsig-keygen', '-a', 'hmac-sha256', 'update.example'), { mode: 0o600 });
  const key = readFileSync(keyFile, 'utf8');
  const zone = 'zone "example.test"';
  const ofPrimary = `type primary; file "zone"; notify-delay 0; update-policy { grant update.example zonesub ANY; }; also-notify { 127.0.0.1 port ${second}; }; allow-transfer { any; };`;
  const ofSecondary = `type secondary; file "zone"; primaries { 127.0.0.1 port ${first}; };`;
  await started(t, first, configuration(`${folder}/primary`, first, `${key} ${zone} { ${ofPrimary} };`));
  const child = await started(t, second, configuration(`${folder}/secondary`, second, `${zone} { ${ofSecondary} };`));
  const dig = (server: string, name: string, type: string) =>
    run('dig', '@127.0.0.1', '-p', server.replace(/.*:/, ''), '+short', name, type).trim();
  const [primary, secondary] = [`127.0.0.1:${first}`, `127.0.0.1:${second}`];
  await until('the zone is transferred', () => dig(secondary, 'app.example.test', 'A') !== '');
  return {
    primary,
    secondary,
    published: { '192.0.2.53': primary, '192.0.2.54': secondary },
    keyFile,
    dig,
    freezeSecondary: () => void child.kill('SIGSTOP'),
    thawSecondary: () => void child.kill('SIGCONT'),
  };
}

/** Polls for 20 s: a busy machine's start of named. */
async function until(what: string, isSo: () => boolean | Promise<boolean>): Promise<void> {
  const endsAt = Date.now() + 20_000;
  while (!(await isSo())) {
    if (Date.now() > endsAt) throw new Error(`not within 20 s: ${what}`);
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
}

function run(program: string, ...words: readonly string[]): string {
  const { status, stdout, stderr } = spawnSync(whereIs(program) ?? program, words, { encoding: 'utf8' });
  if (status !== 0) throw new Error(`${program} ${words.join(' ')}: exit ${status}: ${stderr}`);
  return stdout;
}

function configuration(folder: string, port: number, zone: string): string {
  mkdirSync(folder);
  if (zone.includes('type primary')) writeFileSync(`${folder}/zone`, zoneFile);
  const options = `directory "${folder}"; pid-file none; session-keyfile none; listen-on port ${port} { 127.0.0.1; }; listen-on-v6 { none; }; recursion no; dnssec-validation no;`;
  writeFileSync(`${folder}/named.conf`, `options { ${options} }; controls { }; ${zone}`);
  return `${folder}/named.conf`;
}

async function started(t: TestContext, port: number, configuration: string): Promise<ChildProcess> {
  const child = spawn(whereIs('named') ?? 'named', ['-g', '-c', configuration], {
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  let log = '';
  child.stderr.on('data', (text) => {
    log += text;
  });
  t.after(async () => {
    const gone = new Promise((resolve) => child.once('exit', resolve));
    if (child.exitCode === null && child.kill('SIGKILL')) await gone;
  });
  await until('named listens', () => {
    if (child.exitCode !== null) throw new Error(`named ended with ${child.exitCode}: ${log}`);
    return accepts(port);
  });
  return child;
}
