import { readableDuration } from '../../figures/figures.js';
import type { Detail, Message } from '../../notification/notifier.ts';
import type { DeployDocument } from '../record/document.ts';
import { performerText } from '../record/performer.ts';
import type { DeployEvent } from '../record/states.ts';
import { probePhrase } from '../record/visitors.ts';
import { isCause } from './because.ts';
import { plain } from './plain.ts';
import { sentence, statusText } from './sentence.ts';

/**
 * The notification of a deploy: one distinct sentence for each outcome (section 4 of the specification), and details
 * for a mail.
 */
export function messageOf(
  document: DeployDocument,
  events: readonly DeployEvent[],
  branch: string,
  directory: string,
): Message {
  const seconds = (Date.parse(document.finishedAt) - Date.parse(document.startedAt)) / 1000;
  const details = [
    detail('directory', directory),
    detail('branch', branch),
    detail('previous commit', document.previousCommit ?? 'none'),
    detail('new commit', document.newCommit ?? 'none'),
    ...healthDetails(events),
    detail('duration', readableDuration(seconds)),
    ...(document.probe === null ? [] : [detail('visitors during the deploy', probePhrase(document.probe))]),
    ...(document.by === null ? [] : [detail('by', performerText(document.by))]),
    ...(document.message === null ? [] : [detail('message', document.message)]),
    detail('deploy', `${document.id}, exit code ${document.exitCode}`),
  ];
  const dropped = document.probe === null ? '' : `; ${probePhrase(document.probe)}`;
  const text = `${outcome(document, events, branch)} (${directory}, ${readableDuration(seconds)}${dropped})`;
  return { text: oneLine(text), details, document };
}

const detail = (name: string, value: string): Detail => ({ name, value: oneLine(value) });

/** The status of the check that decided, and after a rollback that of the check that followed it as such. */
function healthDetails(events: readonly DeployEvent[]): readonly Detail[] {
  const checks = events.filter((event) => event.type === 'health-checked');
  const isBack = events.findIndex(({ type }) => type === 'rolled-back');
  const before = checks.findLast((check) => isBack === -1 || events.indexOf(check) < isBack);
  const inWords = ({ status, commit }: (typeof checks)[number]) => `${statusText(status)} at commit ${commit}`;
  const after = isBack === -1 ? undefined : checks.findLast((check) => events.indexOf(check) > isBack);
  return [
    ...(before === undefined ? [] : [detail('HTTP status', inWords(before))]),
    ...(after === undefined ? [] : [detail('HTTP status after the rollback', inWords(after))]),
    ...(checks.length === 0 ? [detail('HTTP status', 'none, no health check was made')] : []),
  ];
}

function outcome(document: DeployDocument, events: readonly DeployEvent[], branch: string): string {
  const { newCommit } = document;
  switch (document.state) {
    case 'verified':
      return events.some(({ type }) => type === 'target-found')
        ? `Rollback successful: branch ${branch} is back at commit ${newCommit}`
        : `Deployment successful: branch ${branch} is at new commit ${newCommit}`;
    case 'updated':
      return `Deployment done without a health check: branch ${branch} is at new commit ${newCommit}`;
    case 'unchanged':
      return `Nothing to deploy: branch ${branch} is at commit ${newCommit}`;
    case 'rolled-back':
      return `Deployment rolled back: ${cause(events)} on branch ${branch}; ${nowHealthy(events)}`;
    case 'rolled-back-unhealthy':
      return unhealthyEnd(document, events, branch);
    case 'rollback-failed':
      return `ROLLBACK FAILED, someone has to act: ${cause(events)} on branch ${branch}; ${whereItIs(document, events)}`;
    case 'aborted':
      return `Deployment failed: ${abortCause(events, branch)}`;
  }
}

function whereItIs({ previousCommit }: DeployDocument, events: readonly DeployEvent[]): string {
  const failed = events.findLast((event) => event.type === 'rollback-failed');
  return failed?.onDisk ?? `the checkout is not at commit ${previousCommit}`;
}

function unhealthyEnd({ httpStatus }: DeployDocument, events: readonly DeployEvent[], branch: string): string {
  const at = backAt(events);
  if (events.some(({ type }) => type === 'stayed'))
    return `The site is UNHEALTHY: ${cause(events)} on branch ${branch}; it stays at commit ${at}`;
  const now = httpStatus === null ? 'unknown' : statusText(httpStatus);
  if (isUntouched(events))
    return `Deployment failed before it changed anything, and the site is UNHEALTHY (HTTP status ${now}): ${cause(events)} on branch ${branch}; still at previous commit ${at}`;
  return `Deployment rolled back and the site is STILL UNHEALTHY (HTTP status ${now} after the rollback): ${cause(events)} on branch ${branch}; at previous commit ${at}`;
}

/** Why the new commit was rolled back. */
function cause(events: readonly DeployEvent[]): string {
  const blamed = events.find(({ type }) => type === 'environment-blamed');
  const found = events.find(isCause);
  if (blamed !== undefined && found !== undefined)
    return `${lowerFirst(sentence(found))} (${lowerFirst(sentence(blamed))})`;
  if (found?.type === 'health-checked' && found.doubt === undefined) {
    const reason = found.reason === undefined ? '' : ` (${found.reason})`;
    return `the health check failed with HTTP status ${statusText(found.status)}${reason}`;
  }
  return found === undefined ? 'the new commit was rolled back' : lowerFirst(sentence(found));
}

function nowHealthy(events: readonly DeployEvent[]): string {
  const commit = `previous commit ${backAt(events)}`;
  return isUntouched(events) ? `nothing was changed: ${commit} is healthy` : `${commit} is healthy again`;
}

/** Whether the new commit was found bad before visitors got anything of it. */
function isUntouched(events: readonly DeployEvent[]): boolean {
  return events.some((event) => event.type === 'rolled-back' && event.untouched);
}

function backAt(events: readonly DeployEvent[]): string {
  const back = events.findLast((event) => event.type === 'rolled-back' || event.type === 'stayed');
  return back?.commit ?? 'unknown';
}

function abortCause(events: readonly DeployEvent[], branch: string): string {
  const last = events.at(-1);
  if (last?.type === 'fetch-failed' || last?.type === 'reset-failed') {
    const reason = last.because === undefined ? '' : `: ${last.because}`;
    return `git ${last.type === 'fetch-failed' ? 'fetch' : 'reset'} failed on branch ${branch}${reason}`;
  }
  return `${last === undefined ? 'a defect' : lowerFirst(sentence(last))}, on branch ${branch}`;
}

function lowerFirst(text: string): string {
  return text.charAt(0).toLowerCase() + text.slice(1);
}

/** Without control characters and line breaks. */
function oneLine(text: string): string {
  return plain(text).replaceAll('\n', ' ');
}
