import { execFileSync, spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import { globSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { loadAverage } from './load-average.ts';

/**
 * A broken commit with so many files in whose way the server has files of its own: all of them are kept, and put back.
 * Prints how long the deploy took beside git alone, and the largest resident size of holdfast. Ends with 1 where a file
 * is not as it was.
 */
const count = Number(process.argv[2] ?? 100_000);
const program = new URL('../bin/holdfast.js', import.meta.url).pathname;
const folder = mkdtempSync(join(process.env.BENCH_FOLDER ?? tmpdir(), 'holdfast-'));
const [remote, developer, app] = ['origin.git', 'developer', 'app'].map((name) => join(folder, name)) as [
  string,
  string,
  string,
];
const env = { ...process.env, GIT_CONFIG_GLOBAL: '/dev/null', HOME: folder };
const identity = ['-c', 'user.name=A Developer', '-c', 'user.email=developer@example.com'];
const git = (where: string, ...words: readonly string[]) =>
  execFileSync('git', ['-C', where, ...identity, ...words], { env, stdio: 'ignore', maxBuffer: 1e9 });
const path = (number: number) =>
  `vendor/some-vendor/package-${number % 400}/src/Component/ClassNumber${number}Implementation.php`;

function write(top: string, name: string, text: string): void {
  mkdirSync(dirname(join(top, name)), { recursive: true });
  writeFileSync(join(top, name), text);
}

function writeAll(top: string, text: string): void {
  for (let number = 0; number < count; number++) write(top, path(number), `${text} ${number}\n`);
}

/** Of the names and texts of all these files. */
function sumOf(top: string): string {
  const hash = createHash('sha256');
  for (let number = 0; number < count; number++)
    hash.update(`${path(number)}\0${readFileSync(join(top, path(number)))}`);
  return hash.digest('hex');
}

const server = createServer((_, response) => {
  const status = readFileSync(join(app, 'status'), 'utf8').trim();
  response.writeHead(Number(status)).end();
});
await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
const healthUrl = `http://127.0.0.1:${(server.address() as AddressInfo).port}/`;
const said = `data:text/javascript,${encodeURIComponent("process.on('exit', () => console.error('largest=' + process.resourceUsage().maxRSS))")}`;

/** Exit code, seconds and MiB. */
async function deploy(): Promise<readonly [code: number, seconds: number, mebibytes: number]> {
  const settings = { APP_DIR: app, BRANCH: 'main', LOG_FILE: join(folder, 'deploy.log'), HEALTH_URL: healthUrl };
  const startedAt = performance.now();
  const child = spawn(process.execPath, ['--import', said, program, 'deploy', '--preset', 'none', '--quiet'], {
    cwd: folder,
    env: { ...env, ...settings },
  });
  let text = '';
  child.stderr.setEncoding('utf8').on('data', (piece: string) => {
    text += piece;
  });
  child.stdout.resume();
  const code = await new Promise<number>((resolve) => child.once('close', (exit) => resolve(exit ?? -1)));
  return [code, (performance.now() - startedAt) / 1000, Number(/largest=(\d+)/.exec(text)?.[1]) / 1024];
}

try {
  git(folder, 'init', '--quiet', '--bare', '--initial-branch=main', remote);
  git(folder, 'clone', '--quiet', remote, developer);
  write(developer, 'status', '200');
  const push = () => {
    git(developer, 'add', '--all');
    git(developer, 'commit', '--quiet', '--message', 'a change');
    git(developer, 'push', '--quiet', 'origin', 'HEAD:main');
  };
  push();
  git(folder, 'clone', '--quiet', remote, app);
  writeFileSync(join(folder, 'holdfast.yaml'), 'deployment: { commandTimeout: 30m }\n');
  await deploy();
  writeAll(developer, 'of the commit');
  write(developer, 'status', '500');
  push();
  const aside = join(folder, 'aside');
  const startedAt = performance.now();
  git(folder, 'clone', '--quiet', remote, aside);
  const ofGit = (performance.now() - startedAt) / 1000;
  rmSync(aside, { recursive: true });
  writeAll(app, 'of the server');
  const before = sumOf(app);
  const [code, seconds, mebibytes] = await deploy();
  const kept = globSync('.git/holdfast/runs/*/files/vendor/*/*/src/Component/*', { cwd: app }).length;
  const isBack = sumOf(app) === before;
  console.log(
    `${count} files in the way of a broken commit: exit ${code}, ${kept} kept, ${isBack ? 'all' : 'NOT ALL'} put back; ` +
      `${seconds.toFixed(1)} s (git clone of them ${ofGit.toFixed(1)} s), ${mebibytes.toFixed(0)} MiB (${loadAverage()})`,
  );
  process.exitCode = code === 3 && kept === count && isBack ? 0 : 1;
} finally {
  server.close();
  rmSync(folder, { recursive: true, force: true });
}
