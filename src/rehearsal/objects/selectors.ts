import type { LabelSelector } from '../../cluster/metadata.ts';
import { objectSelector } from '../api-server/selectors.ts';

type Labels = Readonly<Record<string, string>>;

const tests = new WeakMap<object, (labels: Labels) => boolean>();

/** Whether the labels are selected. A selector that is missing or empty selects nothing, as a Service's and a budget's does. */
export function selectorMatches(labels: Labels | undefined, selector: LabelSelector | undefined): boolean {
  return selector !== undefined && Object.keys(selector).length > 0 && termMatches(labels, selector);
}

/** The same for affinity and spread: missing it selects nothing, empty everything. */
export function termMatches(labels: Labels | undefined, selector: LabelSelector | undefined): boolean {
  if (selector === undefined) return false;
  const test = tests.get(selector) ?? objectSelector(selector);
  tests.set(selector, test);
  return test(labels ?? {});
}

/** The same for a plain map of labels, as a Service and a node selector have it. */
export function labelsMatch(labels: Labels | undefined, wanted: Labels | undefined): boolean {
  const pairs = Object.entries(wanted ?? {});
  return pairs.length > 0 && pairs.every(([key, value]) => labels?.[key] === value);
}
