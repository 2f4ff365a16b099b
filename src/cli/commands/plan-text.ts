import { chosenDuration } from '../../figures/figures.js';
import { permissionText } from '../../validation/permissions/missing-permissions.ts';
import type { PlannedWrite, RunPlan, ScenarioPlan } from '../../validation/plan/plan.ts';
import type { Passes, Together } from '../../validation/plan/together.ts';
import { clocksText } from '../../validation/predict/predicted-text.ts';
import type { RunCost } from '../../validation/predict/run-cost.ts';
import type { Range } from '../../validation/record/prediction.ts';
import { hangingIndent } from '../command/hanging-indent.ts';
import type { Page } from '../command/page.ts';

/**
 * A plan for people: what phase 3 applies, each scenario's writes and their undo, the cost of the run, the missing
 * permissions.
 */
export function planText(plan: RunPlan, page: Page): string {
  const { lease, applies, scenarios, cost, missing } = plan;
  const { paint: colors } = page;
  const applied = applies.map(({ subject, adoption }) => {
    const why = adoption.state === 'refused' ? `: ${adoption.because}` : '';
    const paint = adoption.state === 'refused' ? colors.bad : colors.good;
    return hangingIndent(page, `  ${paint(adoption.state)} `, `${subject}${why}`, 4);
  });
  const lacks = missing.map((permission) =>
    hangingIndent(page, `  ${colors.bad('missing')} `, permissionText(permission)),
  );
  return [
    colors.strong('Phase 3 applies these objects (server-side, never forced; kept unless --cleanup)'),
    ...(applied.length === 0 ? ['  none, because manifests is none'] : applied),
    ...probeLines(plan, page),
    ...scenarios.flatMap((scenario) => ['', ...scenarioLines(scenario, page)]),
    '',
    colors.strong('The whole run'),
    hangingIndent(page, '  ', `creates ${lease}, renews it and deletes it at the end: it keeps other runs away`, 4),
    ...costLines(cost).map((line) => hangingIndent(page, '  ', line, 4)),
    '',
    colors.strong('Permissions'),
    ...(lacks.length === 0 ? ['  all granted'] : lacks),
    '',
  ].join('\n');
}

function probeLines({ probes }: RunPlan, page: Page): readonly string[] {
  if (probes === undefined) return [];
  return [
    '',
    page.paint.strong('Probes in the cluster, deleted at the end (each name ends with the id of the run)'),
    ...probes.writes.flatMap((write) => writeLines(write, page)),
    ...probes.without.map(({ zone, because }) => hangingIndent(page, `  none in ${zone}: `, because, 4)),
  ];
}

function scenarioLines({ title, writes, notes, open, prediction }: ScenarioPlan, page: Page): readonly string[] {
  const { paint: colors } = page;
  const expected = prediction === null ? [] : [hangingIndent(page, '  ', `predicted: ${clocksText(prediction)}`, 4)];
  const predicted = prediction?.steps ?? [];
  const width = Math.max(...predicted.map(({ afterSeconds }) => between(afterSeconds).length));
  const steps = predicted.map(({ afterSeconds, what, because }) =>
    hangingIndent(page, `    ${between(afterSeconds).padEnd(width)}  `, `${what}: ${because}`),
  );
  const lasts = prediction === null ? '' : `, takes ${between(prediction.durationSeconds)}`;
  return [
    colors.strong(`${title}${lasts}`),
    ...writes.flatMap((write) => writeLines(write, page)),
    ...(open === null ? [] : [hangingIndent(page, `  ${colors.doubtful('cannot be planned now')}: `, open, 4)]),
    ...notes.map((note) => hangingIndent(page, '  ', note, 4)),
    ...expected,
    ...steps,
  ];
}

/** The undo is a command to copy, so that it is not wrapped. */
function writeLines({ action, subject, change, undo }: PlannedWrite, page: Page): readonly string[] {
  const what = change === '' ? subject : `${subject}, ${change}`;
  return [hangingIndent(page, '  ', `${action}: ${what}`, 4), ...(undo === null ? [] : [`    undo by hand: ${undo}`])];
}

function costLines({ durationSeconds, downtimeSeconds, newNodes, newNodesOf, requests }: RunCost): readonly string[] {
  const parts = newNodesOf.map(({ of, nodes }) => `${nodes} for ${of}`).join(', ');
  return [
    `takes ${between(durationSeconds)}`,
    newNodes === 0
      ? 'needs no new node'
      : `makes the autoscaler start at most ${newNodes} new nodes (${parts}), which it removes again by its own rules`,
    `sends ${requests.least} to ${requests.most} requests to the application`,
    downtimeSeconds.most === 0 ? 'causes no downtime' : `may cause ${between(downtimeSeconds)} of downtime`,
  ];
}

function between({ least, most }: Range): string {
  return least === most ? lengthOf(most) : `${lengthOf(least)} to ${lengthOf(most)}`;
}

/** Whole minutes above 3 minutes, where seconds do not matter. */
function lengthOf(seconds: number): string {
  return chosenDuration(seconds > 180 ? Math.ceil(seconds / 60) * 60 : Math.ceil(seconds));
}

/** How one run makes the scenarios for its applications, for people. */
export function passesText(passes: readonly Passes[], page: Page): string {
  const lines = passes.map(({ scenario, groups }) => {
    const shared = groups.filter((group) => group.length > 1).map((group) => `once for ${group.join(', ')}`);
    const alone = groups.filter((group) => group.length === 1).flat();
    const each = alone.length === 0 ? [] : [`for ${alone.join(', then for ')}`];
    return hangingIndent(page, `  ${scenario}: `, [...shared, ...each].join('; '), 4);
  });
  return `${[
    page.paint.strong('All of them in one run'),
    ...lines,
    hangingIndent(
      page,
      '  ',
      'What takes a node is made again for those that have no pod on the node that is chosen.',
      4,
    ),
  ].join('\n')}\n`;
}

/** What applications share, for people: those of `--beside`, and those of one run, which are `together`. */
export function togetherText({ pairs, steps }: Together, page: Page, run: readonly string[] = []): string {
  const { strong } = page.paint;
  const isOfOneRun = (names: readonly string[]) => names.every((name) => run.includes(name));
  return [
    '',
    strong(steps.flat().some((name) => !run.includes(name)) ? 'Beside other applications' : 'What they share'),
    ...pairs.flatMap(({ applications: [one, other], shares }) =>
      shares.length === 0
        ? [hangingIndent(page, '  ', `${one} and ${other} share nothing: a run of one does not reach the other`, 4)]
        : shares.map(({ what, scenarios }) =>
            hangingIndent(
              page,
              '  ',
              `${one} and ${other} share ${what}: ${scenarios.join(', ')} of one disturb both${isOfOneRun([one, other]) ? ', and never at the same time' : ''}`,
              4,
            ),
          ),
    ),
    ...steps.map((step, index) => hangingIndent(page, `  ${index + 1}. `, step.join(', '), 5)),
    '',
  ].join('\n');
}
