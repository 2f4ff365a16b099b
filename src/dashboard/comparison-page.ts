import { OperationError, UsageError } from '../host/errors.ts';
import type { Files } from '../host/host.ts';
import type { Page } from '../host/serve.ts';
import { comparison } from '../report/comparison.ts';
import { comparisonSections } from '../report/html/comparison-sections.ts';
import { type Markup, markup, sourceOf } from '../report/markup.ts';
import { readRun } from '../validation/judge/read-run.ts';
import { pageDocument } from './page-document.ts';

/** Two runs side by side, as a page without scripts. A folder without a run is named as such. */
export async function comparisonPage(files: Files, before: string, after: string): Promise<Page> {
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
