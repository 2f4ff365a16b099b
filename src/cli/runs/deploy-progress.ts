import { stepWords } from '../../deployment/log/step-words.ts';
import { linesOn, type RunWatch, stepText } from '../../deployment/log/watch.ts';
import type { DeployDocument } from '../../deployment/record/document.ts';
import type { Tag } from '../../deployment/record/states.ts';
import type { DeploymentSettings } from '../../deployment/settings/settings.ts';
import { readableDuration } from '../../figures/figures.js';
import type { Host } from '../../host/host.ts';
import { githubAnnotation } from '../../report/annotations.ts';
import { printable } from '../../report/printable.ts';
import { hangingIndent } from '../command/hanging-indent.ts';
import type { Paint } from '../command/text.ts';
import { elapsed } from '../terminal/elapsed.ts';
import { tellGithub } from '../terminal/github.ts';
import { openScreen } from '../terminal/open-screen.ts';
import { type ProbeStrip, probeStrip, stripLine } from '../terminal/probe-strip.ts';
import { isLive, type Mark, type Viewer } from '../terminal/screen.ts';

/** What is known of a deploy while it runs. */
interface DeployView {
  readonly what: string;
  readonly startedAt: number;
  readonly strip: ProbeStrip;
  step?: { readonly name: string; readonly atMostSeconds: number; readonly since: number } | undefined;
  visits: number;
  failed: number;
}

const ofTag: Readonly<Record<Tag, Mark>> = { INFO: 'left-out', SUCCESS: 'good', ERROR: 'bad', ROLLBACK: 'unknown' };

/**
 * Runs `work` and shows on standard error what it does: on a terminal each step and each line of the log with its mark
 * and its time, and below them the step under way and what visitors get; elsewhere a line each.
 */
export async function showDeploy(
  viewer: Viewer,
  { branch, appDir, monitor }: DeploymentSettings,
  what: 'deploy' | 'rollback',
  work: (host: Host, watch: RunWatch) => Promise<DeployDocument>,
): Promise<DeployDocument> {
  const { clock } = viewer.host;
  const now = (): number => clock.wallAt();
  const strip = probeStrip();
  const view: DeployView = { what: `${what} of ${branch} in ${appDir}`, startedAt: now(), strip, visits: 0, failed: 0 };
  const screen = openScreen(viewer, (columns, colors) => deployFrame(view, now(), columns, colors));
  const finished = (mark: Mark, text: string): void => screen.finished(mark, new Date(now()).toISOString(), text);
  const visitors = { slowSeconds: monitor.slow, monotonicSeconds: () => clock.monotonicSeconds(), now };
  const live: RunWatch = {
    // Somebody who asked for a rollback reads that it is done, not a warning.
    logged: (tag, text) => finished(tag === 'ROLLBACK' && what === 'rollback' ? 'good' : ofTag[tag], text),
    stepBegun(name, atMostSeconds) {
      view.step = { name, atMostSeconds, since: now() };
      screen.touch();
    },
    stepFinished(step) {
      view.step = undefined;
      // The line of the log that follows says what it has found.
      if (step.name === 'health') return screen.touch();
      finished(step.exitCode === 0 ? 'good' : 'bad', stepText(step));
    },
    visited(visit) {
      view.visits += 1;
      if (!visit.good || visit.torn) view.failed += 1;
      const at = visitors.now() - (visitors.monotonicSeconds() - visit.at) * 1000;
      strip.take(at, !visit.good || visit.torn ? 'bad' : visit.seconds > visitors.slowSeconds ? 'slow' : 'good');
      screen.touch();
    },
  };
  screen.section(view.what);
  try {
    const document = await work(screen.host, isLive(viewer) ? live : linesOn(screen.host.talk));
    screen.end();
    await tellGithub(viewer, deployAnnotations(document), () => deploySummary(document, view.what));
    return document;
  } finally {
    screen.end();
  }
}

function deployFrame(view: DeployView, nowAt: number, columns: number, paint: Paint): readonly string[] {
  const fit = (text: string): readonly string[] =>
    hangingIndent({ columns, isBroken: true }, '', printable(text), 2).split('\n');
  const { step, visits, failed } = view;
  return [
    ...fit(`${view.what}, for ${elapsed(nowAt - view.startedAt)}`).map(paint.strong),
    ...(step === undefined
      ? []
      : fit(
          `runs ${stepWords(step.name)}: ${elapsed(nowAt - step.since)} of at most ${elapsed(step.atMostSeconds * 1000)}`,
        )),
    ...stripLine(view.strip, columns, paint),
    ...(visits === 0
      ? []
      : fit(`${failed} of ${visits} visitors got no good page`).map(failed === 0 ? paint.good : paint.bad)),
  ];
}

/** An error for a deploy that did not go well. */
function deployAnnotations({ state, because, exitCode }: DeployDocument): readonly string[] {
  return because === null ? [] : [githubAnnotation('error', `holdfast: ${state}, exit ${exitCode}`, because)];
}

/** A deploy as Markdown (GFM): the outcome, why, the health checks and the steps. */
function deploySummary(document: DeployDocument, what: string): string {
  const { state, exitCode, because, previousCommit, newCommit, checks, steps, probe } = document;
  const visitors = probe === null ? [] : [`- visitors: ${probe.failed} of ${probe.requests} requests failed`];
  return [
    `# ${escaped(what)}: ${state}, exit ${exitCode}`,
    [
      ...(because === null ? [] : [`- because: ${escaped(because)}`]),
      `- previous commit: ${previousCommit ?? 'none'}`,
      `- new commit: ${newCommit ?? 'none'}`,
      ...visitors,
    ].join('\n'),
    table(
      ['Health check of', 'HTTP status', 'Took'],
      checks.map(({ commit, httpStatus, seconds }) => [commit, String(httpStatus), readableDuration(seconds)]),
    ),
    table(
      ['Step', 'Took', 'Exit code'],
      steps.map(({ name, seconds, exitCode: code }) => [name, readableDuration(seconds), String(code)]),
    ),
  ].join('\n\n');
}

const escaped = (text: string): string => printable(text).replaceAll(/[\\`*_[\]<>|~&]/g, '\\$&');

function table(columns: readonly string[], rows: readonly (readonly string[])[]): string {
  const line = (cells: readonly string[]) => `| ${cells.map(escaped).join(' | ')} |`;
  return [line(columns), `|${columns.map(() => '---|').join('')}`, ...rows.map(line)].join('\n');
}
