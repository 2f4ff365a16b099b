import { execFileSync } from 'node:child_process';
import { cpSync, existsSync, mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { TestContext } from 'node:test';
import { pathToFileURL } from 'node:url';
import { buildCheckout } from '../../deployment/support/checkout.ts';
import { needsMariaDb, startMariaDb } from '../../deployment/support/mariadb.ts';
import { needsPhpServer, startFpm, startNginx } from '../../deployment/support/php-server.ts';
import { needs } from '../../support/needs.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';

/** A site behind nginx and php-fpm, opcache at its defaults, whose page names the versions of three of its parts. */
export interface RealSite {
  readonly app: string;
  readonly url: string;
  readonly healthUrl: string;
  readonly preset: string;
  /** Step 7 of section 4.3 for its framework, a command of the shell. */
  readonly caches: string;
  /** php-fpm's socket; absent where the site has no PHP. */
  readonly fastcgi?: string;
  readonly logFile: string;
  readonly environment: Readonly<Record<string, string>>;
  /** Commits and pushes this version; `broken` is one whose page fails. */
  readonly push: (version: string) => void;
  readonly get: () => Promise<{ readonly status: number; readonly body: string }>;
  readonly log: () => string;
}

interface Kind {
  readonly preset: string;
  readonly caches: string;
  /** The folder of the checkout that nginx shows. */
  readonly documentRoot: string;
  /** Files of the first commit; undefined where something is missing, after the test was skipped. */
  readonly first: (t: TestContext) => Readonly<Record<string, string>> | URL | undefined;
  /** Files of a version. */
  readonly files: (version: string) => Readonly<Record<string, string>>;
  /** What its server has beside the checkout. */
  readonly prepare?: (t: TestContext, app: string, folder: string) => Promise<void>;
  /** Once the site answers. */
  readonly install?: (url: string, folder: string) => Promise<void>;
}

const page = (version: string) =>
  `<html><body>class=<?= Version::NUMBER ?> view=${version} config=<?= $config ?></body></html>\n`;
const broken = (version: string): string => (version === 'broken' ? "throw new RuntimeException('broken');\n" : '');
const classOf = (version: string) => `<?php\nclass Version { public const NUMBER = '${version}'; }\n`;

/** A quarter of a megabyte between the first word of the page and its last. */
const filling = '<p>and so on</p>\n'.repeat(15_000);
const staticPage = (version: string) =>
  `<html><body>class=${version}\n${filling}view=${version} config=${version}</body></html>\n`;

const plainPhp: Kind = {
  preset: 'php',
  caches: ':',
  documentRoot: 'public',
  first: (t) => (needsPhpServer(t) ? plainPhp.files('one') : undefined),
  files: (version) => ({
    'public/index.php': `<?php\n${broken(version)}require '../lib/version.php';\n$config = require '../config.php';\nrequire '../view.php';\n`,
    'lib/version.php': classOf(version),
    'config.php': `<?php\nreturn '${version}';\n`,
    'view.php': page(version),
  }),
};

const symfony: Kind = {
  preset: 'symfony',
  caches: 'php bin/console cache:clear --env=prod --no-debug --quiet',
  documentRoot: 'public',
  first: (t) =>
    needsPhpServer(t) && needs(t, '../share/php/Symfony/Bundle/FrameworkBundle/autoload.php')
      ? { '.gitignore': 'var/\n', ...symfonyFrame, ...symfony.files('one') }
      : undefined,
  files: (version) => ({
    'src/Version.php': classOf(version),
    'config/services.php': `<?php\nreturn fn (Symfony\\Component\\DependencyInjection\\Loader\\Configurator\\ContainerConfigurator $container) => $container->parameters()->set('app.version', '${version}');\n`,
    'view.php': page(version),
    'src/Page.php': `<?php\nuse Symfony\\Component\\HttpFoundation\\Response;\nclass Page\n{\n  public function __construct(private string $config) {}\n  public function __invoke(): Response\n  {\n    ${broken(version)}    $config = $this->config;\n    ob_start();\n    require __DIR__ . '/../view.php';\n    return new Response(ob_get_clean());\n  }\n}\n`,
  }),
};

/** The kernel of symfony/skeleton, on Debian's packages. */
const symfonyFrame = {
  'autoload.php': `<?php
require_once '/usr/share/php/Symfony/Bundle/FrameworkBundle/autoload.php';
foreach (['Kernel', 'Version', 'Page'] as $class) spl_autoload_register(fn ($name) => $name === $class && require __DIR__ . "/src/$class.php");
`,
  'src/Kernel.php': `<?php
use Symfony\\Bundle\\FrameworkBundle\\FrameworkBundle;
use Symfony\\Bundle\\FrameworkBundle\\Kernel\\MicroKernelTrait;
use Symfony\\Component\\DependencyInjection\\Loader\\Configurator\\ContainerConfigurator;
use Symfony\\Component\\HttpKernel\\Kernel as BaseKernel;
use Symfony\\Component\\Routing\\Loader\\Configurator\\RoutingConfigurator;
class Kernel extends BaseKernel
{
  use MicroKernelTrait;
  public function registerBundles(): iterable { yield new FrameworkBundle(); }
  public function getProjectDir(): string { return dirname(__DIR__); }
  protected function configureContainer(ContainerConfigurator $container): void
  {
    $container->import('../config/services.php');
    $container->extension('framework', ['secret' => 'of a test', 'http_method_override' => false]);
    $container->services()->set(Page::class, Page::class)->public()->args(['%app.version%'])->tag('controller.service_arguments');
  }
  protected function configureRoutes(RoutingConfigurator $routes): void { $routes->add('page', '/')->controller('Page'); }
}
`,
  'public/index.php': `<?php
require __DIR__ . '/../autoload.php';
$kernel = new Kernel('prod', false);
$response = $kernel->handle($request = Symfony\\Component\\HttpFoundation\\Request::createFromGlobals());
$response->send();
$kernel->terminate($request, $response);
`,
  'bin/console': `#!/usr/bin/env php
<?php
require __DIR__ . '/../autoload.php';
(new Symfony\\Bundle\\FrameworkBundle\\Console\\Application(new Kernel('prod', false)))->run();
`,
};

/** Debian's package, or an unpacked copy of it. */
const wordpressFolder = process.env.WORDPRESS ?? '/usr/share/wordpress';
const theme = 'wp-content/themes/of-a-test';

const wordpress: Kind = {
  preset: 'wordpress',
  caches: ':',
  documentRoot: '.',
  first: (t) => {
    if (!needsPhpServer(t) || !needsMariaDb(t)) return undefined;
    if (existsSync(join(wordpressFolder, 'wp-load.php'))) return copyOfWordpress(t);
    t.skip('there is no WordPress: apt-get download wordpress, dpkg -x, and name its folder in WORDPRESS');
    return undefined;
  },
  files: (version) => ({
    [`${theme}/style.css`]: `/* Theme Name: of-a-test\nVersion: ${version} */\n`,
    [`${theme}/version.php`]: classOf(version),
    [`${theme}/config.php`]: `<?php\nreturn '${version}';\n`,
    [`${theme}/functions.php`]: `<?php\n${broken(version)}require __DIR__ . '/version.php';\n`,
    [`${theme}/index.php`]: `<?php $config = require __DIR__ . '/config.php'; ?>${page(version)}`,
  }),
  prepare: async (t, app, folder) => {
    const { socket, sql } = await startMariaDb(t, folder);
    sql(
      "CREATE DATABASE wordpress; CREATE USER 'w'@'localhost' IDENTIFIED BY 'w'; GRANT ALL ON wordpress.* TO 'w'@'localhost'",
    );
    writeFileSync(join(app, 'wp-config.php'), wordpressConfig(socket));
  },
  install: async (url, folder) => {
    const form = {
      ...{
        weblog_title: 'test',
        user_name: 'test',
        admin_password: 'a-long-password-1',
        admin_password2: 'a-long-password-1',
      },
      ...{ pw_weak: 'on', admin_email: 'test@example.com', blog_public: '0', language: '' },
    };
    await fetch(`${url}wp-admin/install.php?step=2`, { method: 'POST', body: new URLSearchParams(form) });
    const socket = join(folder, 'mysql.sock');
    const choose =
      "UPDATE wordpress.wp_options SET option_value='of-a-test' WHERE option_name IN ('template','stylesheet')";
    execFileSync('mariadb', ['--no-defaults', `--socket=${socket}`, '-uroot', '-e', choose]);
  },
};

function copyOfWordpress(t: TestContext): URL {
  const folder = temporaryFolder(t);
  cpSync(wordpressFolder, folder, { recursive: true, filter: (path) => !/\/(wp-config\.php|\.htaccess)$/.test(path) });
  // What the package leaves to other packages it names by links, which are dead in a copy.
  execFileSync('find', [folder, '-xtype', 'l', '-delete']);
  writeFileSync(join(folder, '.gitignore'), 'wp-config.php\nwp-content/uploads/\n');
  for (const [path, text] of Object.entries(wordpress.files('one'))) {
    mkdirSync(join(folder, theme), { recursive: true });
    writeFileSync(join(folder, path), text);
  }
  return pathToFileURL(`${folder}/`);
}

const wordpressConfig = (socket: string) => `<?php
define('DB_NAME', 'wordpress'); define('DB_USER', 'w'); define('DB_PASSWORD', 'w'); define('DB_HOST', 'localhost:${socket}');
define('WP_HTTP_BLOCK_EXTERNAL', true); define('DISABLE_WP_CRON', true); define('AUTOMATIC_UPDATER_DISABLED', true);
$table_prefix = 'wp_';
if (!defined('ABSPATH')) define('ABSPATH', __DIR__ . '/');
require_once ABSPATH . 'wp-settings.php';
`;

const staticSite: Kind = {
  preset: 'none',
  caches: ':',
  documentRoot: 'public',
  first: (t) => (needsPhpServer(t) ? staticSite.files('one') : undefined),
  // A broken one has its page under another name.
  files: (version) => ({ [version === 'broken' ? 'public/other.html' : 'public/index.html']: staticPage(version) }),
};

export const realSites = { wordpress, symfony, php: plainPhp, static: staticSite } as const;

/** Undefined where something is missing on this machine; the test is skipped, visibly. */
export async function buildRealSite(t: TestContext, kind: keyof typeof realSites): Promise<RealSite | undefined> {
  const { preset, caches, documentRoot, first, files, prepare, install }: Kind = realSites[kind];
  const begun = first(t);
  if (begun === undefined) return undefined;
  const checkout = buildCheckout(t, begun);
  const { folder, app, logFile } = checkout;
  await prepare?.(t, app, folder);
  // nginx shows the `public` of a folder, and follows a link.
  const front = join(folder, 'front');
  mkdirSync(front);
  symlinkSync(join(app, documentRoot), join(front, 'public'));
  const { listen } = await startFpm(t, folder, [{ name: 'www' }]);
  const [fastcgi = ''] = listen;
  const [address = ''] = await startNginx(t, folder, [{ served: front, fastcgi }]);
  await install?.(address, folder);
  const url = kind === 'static' ? `${address}index.html` : address;
  const get = async () => {
    const response = await fetch(url);
    return { status: response.status, body: await response.text() };
  };
  return {
    app,
    url,
    healthUrl: url,
    preset,
    caches,
    logFile,
    ...(kind === 'static' ? {} : { fastcgi }),
    environment: { PATH: process.env.PATH ?? '', HOME: folder },
    push: (version) => {
      const gone = kind === 'static' && version === 'broken' ? { 'public/index.html': null } : {};
      checkout.push({ ...files(version), ...gone });
    },
    get,
    log: checkout.log,
  };
}
