import type { Files } from '../host/host.ts';
import type { Page } from '../host/serve.ts';
import { style } from '../report/html/style.ts';
import { sourceOf } from '../report/markup.ts';
import { pageDocument } from './page-document.ts';

/** The pages, scripts and styles that are the same for every run and deploy. */
export type ServeFile = (path: string) => Promise<Page | undefined>;

/** Serves the files of the folder `page` by their names, the shared module of figures, and no other file. */
export async function pageFiles(files: Pick<Files, 'list' | 'read'>): Promise<ServeFile> {
  const lists = await Promise.all(folders.map(async (folder) => ({ folder, names: await files.list(folder) })));
  const paths = new Map<string, string>(
    lists.flatMap(({ folder, names }) =>
      names.filter((name) => typeOf(name) !== undefined).map((name) => [`/${name}`, `${folder}/${name}`] as const),
    ),
  );
  return async (path) => {
    const page = pages.get(path);
    const file = page === undefined ? paths.get(path) : `${folders[0]}/${page.file}`;
    if (file === undefined) return made.get(path);
    const body = await files.read(file);
    if (body === undefined) return undefined;
    return page === undefined ? { type: typeOf(file) ?? '', body } : pageDocument({ ...page, body });
  };
}

/** The files hold the bodies of the pages. */
const pages = new Map([
  ['/overview', { file: 'overview.html', title: 'Runs and deploys', script: 'overview.js' }],
  ['/run', { file: 'page.html', title: 'holdfast dashboard', script: 'page.js' }],
  ['/deploy', { file: 'deploy.html', title: 'Deploy', script: 'deploy.js' }],
]);

const made: ReadonlyMap<string, Page> = new Map([
  // The report's colours, signs and tables.
  ['/report.css', { type: 'text/css; charset=utf-8', body: sourceOf(style) }],
  // Browsers request it, and log a 404 as an error.
  ['/favicon.ico', { type: 'image/x-icon', body: '', status: 204 }],
]);

/** A build has the figures among the pages. */
const folders = [`${import.meta.dirname}/page`, `${import.meta.dirname}/../figures`] as const;

function typeOf(name: string): string | undefined {
  const type = types[name.slice(name.lastIndexOf('.') + 1)];
  return type && `${type}; charset=utf-8`;
}

const types: Readonly<Record<string, string>> = { css: 'text/css', js: 'text/javascript' };
