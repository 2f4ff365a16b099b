import { OperationError, UsageError } from '../host/errors.ts';
import type { Files, Host } from '../host/host.ts';
import { type Page, type Served, serve } from '../host/serve.ts';
import { comparison } from '../report/comparison.ts';
import { comparisonSections } from '../report/html/comparison-sections.ts';
import { type Markup, markup, sourceOf } from '../report/markup.ts';
import { readRun } from '../validation/judge/read-run.ts';
import { deployStream } from './deploys/deploy-stream.ts';
import { followDeploys, type ShownCheckout } from './deploys/follow-deploys.ts';
import { type Admitted, admit } from './door.ts';
import { followRun } from './follow-run.ts';
import { logPage, type ShownLog } from './log-page.ts';
import { overviewStream } from './overview/overview.ts';
import { runsReader } from './overview/read-runs.ts';
import { pageDocument } from './page-document.ts';
import { pageFiles } from './page-files.ts';
import { stream } from './stream.ts';

/** What a dashboard shows. */
export interface Shown {
  /** A monitor's log, which is shown instead of runs. */
  readonly log?: ShownLog;
  /** The run that it opens with; without one it opens with the list of all. */
  readonly run?: string;
  /** The folders of all runs, the newest first. */
  readonly runs?: () => Promise<readonly string[]>;
  readonly checkout?: ShownCheckout;
  /** Why no deploys are shown, where there is no checkout. */
  readonly noDeploys?: string;
}

export interface ServedDashboard extends Served {
  /** Its whole address, with the token. */
  readonly url: string;
}

type DashboardHost = Pick<Host, 'clock' | 'files' | 'random'>;
type Answer = (asked: Admitted, gone: AbortSignal) => Promise<Page | undefined>;

/**
 * Serves runs and deploys as read-only pages on loopback until it is closed. Port 0 is any free port; a port that is
 * taken is an `OperationError`. Of a run only its journal and downtime log are read, of a deploy only the checkout's
 * journal. Without a token everybody on the machine may look.
 */
export async function dashboard(
  host: DashboardHost,
  shown: Shown,
  { port, token }: { readonly port: number; readonly token?: string | undefined },
): Promise<ServedDashboard> {
  const answer = await answers(host, shown);
  const served = await serve({ host: '127.0.0.1', port }, async (address, { host: name, gone }) => {
    const admitted = admit({ token }, address, name);
    const page = 'path' in admitted ? ((await answer(admitted, gone)) ?? nothing) : admitted;
    return { ...page, headers: { ...headers, ...page.headers } };
  });
  return { ...served, url: `http://127.0.0.1:${served.port}/${token === undefined ? '' : `${token}/`}` };
}

async function answers(host: DashboardHost, shown: Shown): Promise<Answer> {
  const fileAt = await pageFiles(host.files);
  const listed = async (): Promise<readonly string[]> => [
    ...new Set([...(shown.run === undefined ? [] : [shown.run]), ...((await shown.runs?.()) ?? [])]),
  ];
  const deploys = shown.checkout && followDeploys(host, shown.checkout);
  const runs = runsReader(host, listed);
  const { directory = null } = shown.checkout ?? {};
  const all = { runs, deploys, directory, noDeploys: shown.noDeploys ?? null };
  /** A folder that is not in the list is not read: the address cannot name any file of the machine. */
  const isListed = async (folder: string): Promise<boolean> => (await listed()).includes(folder);
  const streams: Readonly<Record<string, Answer>> = {
    '/events': async ({ query }, gone) => {
      const folder = query.get('run') ?? shown.run ?? '';
      return (await isListed(folder)) ? events(stream(host.clock, followRun(host.files, folder), gone)) : undefined;
    },
    '/overview-events': async (_, gone) => events(overviewStream(host.clock, all, gone)),
    '/deploy-events': async ({ query }, gone) =>
      shown.checkout && deploys
        ? events(deployStream(host.clock, shown.checkout, deploys, query.get('id') ?? '', gone))
        : undefined,
    '/compare': async ({ query }) => {
      const [before, after] = [query.get('before') ?? '', query.get('after') ?? ''];
      return (await isListed(before)) && (await isListed(after))
        ? comparisonPage(host.files, before, after)
        : undefined;
    },
  };
  if (shown.log !== undefined) return logAnswer(host, shown.log);
  const first = shown.run === undefined ? '/overview' : '/run';
  return (asked, gone) =>
    Object.hasOwn(streams, asked.path)
      ? (streams[asked.path]?.(asked, gone) ?? Promise.resolve(undefined))
      : fileAt(asked.path === '/' ? first : asked.path);
}

/** The only page of a dashboard that shows a log. */
function logAnswer(host: DashboardHost, log: ShownLog): Answer {
  const page = logPage(host, log);
  return async ({ path }) => (path === '/' ? page() : undefined);
}

const events = (body: AsyncIterable<string>): Page => ({ type: 'text/event-stream', body });

const nothing: Page = { type: 'text/plain', body: 'not found\n', status: 404 };

/** Allows no foreign resources, no scripts but the page's own files, and no text as markup (Trusted Types). */
const headers = {
  'content-security-policy':
    "default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'; base-uri 'none'; form-action 'self'; frame-ancestors 'none'; require-trusted-types-for 'script'; trusted-types 'none'",
  'cross-origin-opener-policy': 'same-origin',
  'cross-origin-resource-policy': 'same-origin',
  'x-content-type-options': 'nosniff',
  'referrer-policy': 'no-referrer',
  'cache-control': 'no-store',
};

/** Two runs side by side, as a page without scripts. A folder without a run is named as such. */
async function comparisonPage(files: Files, before: string, after: string): Promise<Page> {
  try {
    const [was, is] = [await readRun(files, before), await readRun(files, after)];
    if (was === undefined || is === undefined)
      return page(
        markup`<p class="note error">${was === undefined ? before : after} is no run that can be compared.</p>`,
      );
    return page(comparisonSections(comparison(was.result, is.result)));
  } catch (error) {
    if (!(error instanceof OperationError || error instanceof UsageError)) throw error;
    return page(markup`<p class="note error">${error.message}</p>`);
  }
}

const page = (body: Markup): Page =>
  pageDocument({
    title: 'Two validations side by side',
    body: sourceOf(markup`<nav class="back"><a href="overview">‹ All runs and deploys</a></nav><main>
${body}</main>
`),
  });
