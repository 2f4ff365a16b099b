import assert from 'node:assert/strict';
import { execFileSync, spawn } from 'node:child_process';
import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { deploy } from '../../../src/deployment/deploy.ts';
import { needs } from '../../support/needs.ts';
import { until } from '../support/holdfast.ts';
import { quietHost } from '../support/quiet-host.ts';
import { buildSite } from '../support/site.ts';

/** The smallest application of Symfony that has a cache and a queue, of Debian's packages. */
const kernel = `<?php
use Symfony\\Bundle\\FrameworkBundle\\FrameworkBundle;
use Symfony\\Bundle\\FrameworkBundle\\Kernel\\MicroKernelTrait;
use Symfony\\Component\\DependencyInjection\\Loader\\Configurator\\ContainerConfigurator;

class Kernel extends Symfony\\Component\\HttpKernel\\Kernel
{
    use MicroKernelTrait;

    public function registerBundles(): iterable { return [new FrameworkBundle()]; }
    public function getProjectDir(): string { return dirname(__DIR__); }
    private function configureRoutes() {}
    private function configureContainer(ContainerConfigurator $container): void
    {
        $container->parameters()->set('version', trim(file_get_contents(dirname(__DIR__).'/page')));
        $container->extension('framework', [
            'secret' => 'a secret',
            'messenger' => ['transports' => ['memory' => 'in-memory://']],
        ]);
    }
}
`;
const console = `<?php
foreach (['Bundle/FrameworkBundle', 'Component/Messenger', 'Component/Console'] as $part)
    require_once "/usr/share/php/Symfony/$part/autoload.php";
require __DIR__.'/../src/Kernel.php';
$input = new Symfony\\Component\\Console\\Input\\ArgvInput();
$kernel = new Kernel($input->getParameterOption('--env', 'prod'), false);
(new Symfony\\Bundle\\FrameworkBundle\\Console\\Application($kernel))->run($input);
`;

test('a real Symfony: its cache is built anew from the commit, and a real worker ends because it is told to', async (t) => {
  if (!needs(t, 'php') || !needs(t, '../share/php/Symfony/Bundle/FrameworkBundle/autoload.php')) return;
  if (!needs(t, '../share/php/Symfony/Component/Messenger/autoload.php')) return;
  const site = await buildSite(t);
  const environment = { PATH: process.env.PATH ?? '' };
  // Symfony's command takes a container of the second in which it starts for one of its own.
  const ofThisSecond = "[ ! -d var/cache ] || find var/cache -name '*Container.php' -exec touch {} +";
  const before = [{ name: 'touch', command: ['sh', '-c', ofThisSecond] }];
  const file = { preset: 'symfony', queue: true, environment, steps: { before } };
  site.push({ 'bin/console': console, 'src/Kernel.php': kernel, '.gitignore': 'var/\n' });
  const first = await deploy(quietHost(), site.settings({}, file));
  assert.equal(first.state, 'verified', site.log());
  const words = ['bin/console', 'messenger:consume', 'memory', '--env=prod', '--no-interaction', '-vv'];
  const worker = spawn('php', words, { cwd: site.app, env: environment, stdio: ['ignore', 'pipe', 'pipe'] });
  t.after(() => worker.kill('SIGKILL'));
  let said = '';
  for (const output of [worker.stdout, worker.stderr])
    output.setEncoding('utf8').on('data', (text: string) => {
      said += text;
    });
  const ended = new Promise((resolve) => worker.once('exit', resolve));
  await until(() => said.includes('Consuming messages') || worker.exitCode !== null, 'the worker waits for messages');
  assert.equal(worker.exitCode, null, said);
  site.push({ page: 'two' });
  const document = await deploy(quietHost(), site.settings({}, file));
  assert.equal(document.state, 'verified', site.log());
  const names = document.steps.map(({ name }) => name).filter((name) => /^(?:cache:|queue)/.test(name));
  assert.deepEqual(names, ['cache:clear', 'queue']);
  assert.match(site.log(), /Signal successfully sent to stop any running workers/);
  assert.equal(await ended, 0);
  assert.match(versionIn(site.app), /'two'/);
  site.push({ page: 'three', status: '500' });
  assert.equal((await deploy(quietHost(), site.settings({}, file))).state, 'rolled-back', site.log());
  assert.equal(versionIn(site.app), "'version' => 'two'\n", 'the container is not the one of the bad commit');
});

/** The version in the container that visitors get. */
function versionIn(app: string): string {
  const [file] = globSync('var/cache/prod/*KernelProdContainer.php', { cwd: app });
  const [, folder] = /include __DIR__\.'\/(Container\w+)\//.exec(readFileSync(join(app, file ?? ''), 'utf8')) ?? [];
  const all = ['-rho', "'version' => '[^']*'", join(app, 'var/cache/prod', folder ?? '')];
  return execFileSync('grep', all, { encoding: 'utf8' });
}
