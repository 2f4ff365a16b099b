import type { CacheSteps } from './steps.ts';

/** What a framework needs of a deploy. */
export interface Preset {
  readonly caches: CacheSteps;
  /** Whether the application is PHP, whose opcache may answer with old code. */
  readonly isPhp: boolean;
  /**
   * Generated files that keep the framework from starting when they name classes that are gone; it makes them again
   * (docs/facts/laravel.md, "Manifests that stop artisan").
   */
  readonly manifests: readonly string[];
  /** What the framework reads its configuration from, by the rules of PHP's dotenv; it is in no commit. */
  readonly environmentFile?: string;
  /** What a commit may change that is only applied by a step of the settings. */
  readonly applied: readonly Applied[];
  /** Folders that web servers show to everybody. */
  readonly webRoots: readonly string[];
  /** The framework's own logs. */
  readonly logs: readonly string[];
  /** How the application is started aside; absent where we do not know how to start it. */
  readonly aside?: AsidePreset;
  /** The same for the mode `releases`, where no visitor is served from the folder that is being made. */
  readonly releases: ReleasePreset;
}
export interface Applied {
  /** A file, or a folder with a `/` at its end. */
  readonly path: string;
  /** What the command of a step that applies it contains. */
  readonly word: string;
  /** That command for people, and what happens without it. */
  readonly by: string;
  readonly otherwise: string;
  /** A commit that holds this file needs no such step. */
  readonly result?: string;
}
export interface ReleasePreset {
  readonly caches: CacheSteps;
  /** Files and folders at the checkout's top that every release links to. */
  readonly shared: readonly string[];
  /**
   * Folders that each release has for itself although they would lie in a shared one, by the variable that names them
   * to the framework.
   */
  readonly folders: Readonly<Record<string, OwnFolder>>;
}
/** What a copy of the application has beside the files of its commit. Paths from the checkout's top. */
export interface AsidePreset {
  /** Folders of its own: what it writes there is thrown away. */
  readonly own: readonly string[];
  /** Folders that it only reads: links to the checkout's. */
  readonly linked: readonly string[];
  /** Folders of which only the first level may have files that git does not track and that it needs. */
  readonly shallow: readonly string[];
}
/** `path` is from a release's top; `like` is a folder of the checkout whose permissions it gets. */
export interface OwnFolder {
  readonly path: string;
  readonly like: string;
}

/** What composer.lock asks for. */
export const composer: Applied = {
  path: 'composer.lock',
  word: 'composer',
  by: 'composer install',
  otherwise: 'vendor/ stays as it is',
  result: 'vendor/autoload.php',
};
export const migrations = (path: string, word: string, by: string): Applied => ({
  path,
  word,
  by,
  otherwise: 'the database stays as it is',
});
