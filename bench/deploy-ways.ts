import { spawnSync } from 'node:child_process';
import { copyFileSync, mkdirSync, mkdtempSync, renameSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir, userInfo } from 'node:os';
import { join } from 'node:path';
import type { TestContext } from 'node:test';
import { buildLaravel, type LaravelSite } from '../test/deployment/support/laravel.ts';
import { type Sshd, startSshd } from '../test/deployment/support/sshd.ts';
import { whereIs } from '../test/support/needs.ts';
import { buildPackage } from './package.ts';

/** One program that deploys, with a real Laravel site of its own. */
export interface Way {
  readonly name: string;
  readonly site: LaravelSite;
  readonly deploy: readonly string[];
  /** Absent if `deploy` rolls a broken commit back by itself. */
  readonly rollback?: readonly string[];
  /** Only the cost of a change is measured: everything else is the same as with the way before it. */
  readonly costOnly?: true;
}

/** All ways that this machine has the programs for, or only those named; a missing program is reported. */
export async function waysOf(t: TestContext, only?: readonly string[]): Promise<readonly Way[]> {
  const ways: Way[] = [];
  for (const [name, make] of Object.entries(makers)) {
    const way = only?.includes(name) === false ? undefined : await make(t);
    if (way !== undefined) ways.push(way);
  }
  return ways;
}

const makers: Readonly<Record<string, (t: TestContext) => Promise<Way | undefined>>> = {
  'bash script': byScript,
  holdfast: byHoldfast,
  'holdfast, php-fpm deaf': withoutFastcgi,
  'holdfast, releases': inReleases,
  capistrano: byCapistrano,
  shipit: byShipit,
};

/** The specification's section 4.3 as one would write it by hand. */
const script = `#!/bin/bash
{
echo "===== Deployment started $(date -u +%FT%TZ) ====="
cd "$APP_DIR" || { echo "[ERROR] Directory"; exit 1; }
PREVIOUS_COMMIT=$(git rev-parse HEAD)
echo "[INFO] Previous commit: $PREVIOUS_COMMIT"
git fetch origin "$BRANCH" 2>&1 || { echo "[ERROR] Git fetch failed"; exit 1; }
git reset --hard "origin/$BRANCH" || { echo "[ERROR] reset failed"; exit 1; }
echo "[INFO] New commit: $(git rev-parse HEAD)"
for step in config:clear cache:clear route:clear view:clear config:cache route:cache view:cache; do php artisan $step; done
HTTP_STATUS=$(curl -s -o /dev/null -w '%{http_code}' "$HEALTH_URL")
if [ "$HTTP_STATUS" != 200 ]; then
  echo "[ERROR] Health check failed: $HTTP_STATUS"
  git reset --hard "$PREVIOUS_COMMIT"
  for step in config:cache route:cache view:cache; do php artisan $step; done
  echo "[ROLLBACK] $PREVIOUS_COMMIT"
else
  echo "[SUCCESS]"
fi
echo "===== Deployment completed $(date -u +%FT%TZ) ====="
echo
} >> "$LOG_FILE"
`;

async function byScript(t: TestContext): Promise<Way> {
  const site = await buildLaravel(t);
  const path = join(site.folder, 'deploy.sh');
  writeFileSync(path, script);
  return { name: 'bash script', site, deploy: ['bash', path] };
}

/** As the package has it: built, without its sources. */
function installed(): readonly string[] {
  return [process.execPath, buildPackage(), 'deploy', '--quiet', '--again'];
}

async function byHoldfast(t: TestContext): Promise<Way> {
  const site = await buildLaravel(t);
  return { name: 'holdfast', site, deploy: [...installed(), '--fastcgi', site.fastcgi] };
}

async function withoutFastcgi(t: TestContext): Promise<Way> {
  const site = await buildLaravel(t, { deaf: true });
  return { name: 'holdfast, php-fpm deaf', site, deploy: installed(), costOnly: true };
}

async function inReleases(t: TestContext): Promise<Way> {
  const site = await buildLaravel(t, { mode: 'releases' });
  return {
    name: 'holdfast, releases',
    site,
    deploy: [...installed(), '--mode', 'releases', '--fastcgi', site.fastcgi],
  };
}

/** A release folder a deploy: what nginx serves becomes a link to the present one. */
async function releasesOf(t: TestContext): Promise<{ site: LaravelSite; sshd: Sshd; deployTo: string }> {
  const site = await buildLaravel(t);
  const deployTo = join(site.folder, 'site');
  mkdirSync(join(deployTo, 'shared'), { recursive: true });
  copyFileSync(join(site.app, '.env'), join(deployTo, 'shared/.env'));
  renameSync(site.app, join(site.folder, 'first'));
  symlinkSync(join(deployTo, 'current'), site.app);
  return { site, sshd: await startSshd(t, site.folder), deployTo };
}

const caches = ['config:cache', 'route:cache', 'view:cache'];

async function byCapistrano(t: TestContext): Promise<Way | undefined> {
  const cap = whereIs('cap');
  if (cap === undefined) return without('capistrano', 'apt-get install capistrano');
  const { site, sshd, deployTo } = await releasesOf(t);
  const folder = join(site.folder, 'capistrano');
  mkdirSync(join(folder, 'config/deploy'), { recursive: true });
  const server = `server '127.0.0.1', user: '${userInfo().username}', roles: %w{app}\n`;
  writeFileSync(join(folder, 'Capfile'), capfile);
  writeFileSync(join(folder, 'config/deploy.rb'), deployRb(site.remote, deployTo, sshd));
  writeFileSync(join(folder, 'config/deploy/production.rb'), server);
  const words = (task: string) => ['sh', '-c', 'cd "$0" && exec "$@"', folder, cap, 'production', task];
  return { name: 'capistrano', site, deploy: words('deploy'), rollback: words('deploy:rollback') };
}

const capfile = `require 'capistrano/setup'
require 'capistrano/deploy'
require 'capistrano/scm/git'
install_plugin Capistrano::SCM::Git
`;

const deployRb = (remote: string, deployTo: string, { port, key }: Sshd) => `set :application, 'app'
set :repo_url, '${remote}'
set :branch, 'main'
set :deploy_to, '${deployTo}'
append :linked_files, '.env'
set :ssh_options, { port: ${port}, keys: ['${key}'], keys_only: true, verify_host_key: :never, config: false }
namespace :deploy do
  after :updated, :caches do
    on roles(:app) do
      within release_path do
        ${caches.map((step) => `execute :php, 'artisan', '${step}'`).join('; ')}
      end
    end
  end
end
`;

async function byShipit(t: TestContext): Promise<Way | undefined> {
  if (whereIs('rsync') === undefined) return without('shipit', 'apt-get install rsync');
  const folder = mkdtempSync(join(tmpdir(), 'holdfast-shipit-'));
  t.after(() => rmSync(folder, { recursive: true, force: true }));
  const install = ['install', '--prefix', folder, '--no-audit', '--no-fund', 'shipit-cli@5', 'shipit-deploy@5'];
  if (spawnSync('npm', install, { stdio: 'ignore' }).status !== 0) return without('shipit', 'npm could not fetch it');
  const { site, sshd, deployTo } = await releasesOf(t);
  const workspace = join(site.folder, 'workspace');
  mkdirSync(workspace);
  // It has no setting for the file of known hosts.
  const ssh = `#!/bin/sh\nexec ${whereIs('ssh')} -F /dev/null -o UserKnownHostsFile=${sshd.knownHosts} "$@"\n`;
  writeFileSync(join(folder, 'ssh'), ssh, { mode: 0o755 });
  writeFileSync(join(folder, 'shipitfile.cjs'), shipitfile(site.remote, workspace, deployTo, sshd));
  const program = [process.execPath, 'node_modules/.bin/shipit', '--shipitfile', 'shipitfile.cjs', 'production'];
  const words = (task: string) => ['sh', '-c', 'cd "$0" && PATH="$0:$PATH" exec "$@"', folder, ...program, task];
  return { name: 'shipit', site, deploy: words('deploy'), rollback: words('rollback') };
}

const shipitfile = (
  remote: string,
  workspace: string,
  deployTo: string,
  { port, key }: Sshd,
) => `module.exports = (shipit) => {
  require('shipit-deploy')(shipit);
  shipit.initConfig({
    default: {
      workspace: '${workspace}', deployTo: '${deployTo}', repositoryUrl: '${remote}', branch: 'main',
      key: '${key}', keepWorkspace: true, shallowClone: false,
    },
    production: { servers: [{ host: '127.0.0.1', port: ${port}, user: '${userInfo().username}' }] },
  });
  const steps = ['cp ${deployTo}/shared/.env .env', ${caches.map((step) => `'php artisan ${step}'`).join(', ')}];
  shipit.blTask('caches', () => shipit.remote(steps.join(' && '), { cwd: shipit.releasePath }));
  shipit.on('updated', () => shipit.start('caches'));
};
`;

function without(name: string, because: string): undefined {
  console.log(`Without ${name}: ${because}.`);
}
