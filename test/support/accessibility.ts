import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import type { Tab } from './browser.ts';

const axe = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');

/** What axe-core finds wrong with the page as it is: the rule, the element and what to do. */
export async function violations(tab: Tab): Promise<readonly string[]> {
  await tab.value(`${axe}; undefined`);
  return tab.value(
    `axe.run(document, { resultTypes: ['violations'] }).then(({ violations }) => violations.flatMap(({ id, help, nodes }) => nodes.map(({ target, failureSummary }) => [id, help, target, failureSummary].join(': '))))`,
  );
}
