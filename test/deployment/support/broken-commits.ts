import { readFileSync } from 'node:fs';

/**
 * The ways in which a commit of a Laravel application may be broken; all but `runtime` keep the framework from
 * starting.
 */
export const brokenKinds = ['runtime', 'route', 'provider', 'missing class', 'config', 'fatal'] as const;
export type BrokenKind = (typeof brokenKinds)[number];

type Files = Readonly<Record<string, string>>;

const fixture = (path: string): string => readFileSync(new URL(`../fixtures/laravel/${path}`, import.meta.url), 'utf8');

const provider = 'app/Providers/RouteServiceProvider.php';

/** The files of a version that is broken in this way; `files` are those of the version when it is whole. */
export function brokenFiles(kind: BrokenKind, files: Files): Files {
  const boot = 'public function boot()\n    {\n';
  switch (kind) {
    case 'runtime':
      return { ...files, 'app/Version.php': replaced(files['app/Version.php'], 'BROKEN = false', 'BROKEN = true') };
    case 'route':
      return { ...files, 'routes/web.php': `${fixture('routes/web.php')}\nRoute::get('/new')->toNowhere();\n` };
    case 'provider': {
      const thrown = `${boot}        throw new \\RuntimeException('The provider is broken.');\n`;
      return { ...files, [provider]: replaced(fixture(provider), boot, thrown) };
    }
    case 'missing class': {
      const last = 'App\\Providers\\RouteServiceProvider::class,\n';
      const added = `${last}        App\\Providers\\ForgottenServiceProvider::class,\n`;
      return { ...files, 'config/app.php': replaced(files['config/app.php'], last, added) };
    }
    case 'config': {
      const thrown = "new DateTimeZone('Nowhere');\n\nreturn [";
      return { ...files, 'config/auth.php': replaced(fixture('config/auth.php'), 'return [', thrown) };
    }
    case 'fatal':
      return {
        ...files,
        [provider]: replaced(fixture(provider), boot, `public function boot()\n    {\n    }\n    ${boot}`),
      };
  }
}

/** Routes with which Laravel starts, and that it cannot cache. */
export const twoRoutesOfOneName = `${fixture('routes/web.php')}\nRoute::get('/again', [PageController::class, 'home'])->name('home');\n`;

/** What the next whole commit has to put right. */
export function repairedFiles(): Files {
  return Object.fromEntries(['routes/web.php', provider, 'config/auth.php'].map((path) => [path, fixture(path)]));
}

function replaced(text: string | undefined, old: string, by: string): string {
  if (text?.includes(old) !== true) throw new Error(`${JSON.stringify(old)} is not in the file that is to be broken`);
  return text.replace(old, () => by);
}
