import { formatDuration } from '../../settings/duration.ts';
import { permissionText } from '../../validation/permissions/missing-permissions.ts';
import type { PlannedWrite, RunPlan, ScenarioPlan } from '../../validation/plan/plan.ts';
import { clocksText } from '../../validation/predict/predicted-text.ts';
import type { RunCost } from '../../validation/predict/run-cost.ts';
import type { Range } from '../../validation/record/prediction.ts';
import { hangingIndent } from '../command/hanging-indent.ts';
import type { Paint } from '../command/text.ts';

/** A plan for people: phase 3, each scenario with its writes and their undo, what the run costs, what is missing. */
export function planText({ lease, applies, scenarios, cost, missing }: RunPlan, colors: Paint): string {
  const applied = applies.map(({ subject, adoption }) => {
    const why = adoption.state === 'refused' ? `: ${adoption.because}` : '';
    const paint = adoption.state === 'refused' ? colors.bad : colors.good;
    return hangingIndent(`  ${paint(adoption.state)} `, `${subject}${why}`, 4);
  });
  const lacks = missing.map((permission) => hangingIndent(`  ${colors.bad('missing')} `, permissionText(permission)));
  return [
    colors.strong('Phase 3: applied server-side, never forced, and kept unless --cleanup'),
    ...(applied.length === 0 ? ['  nothing: manifests is none'] : applied),
    ...scenarios.flatMap((scenario) => ['', ...scenarioLines(scenario, colors)]),
    '',
    colors.strong('The run'),
    hangingIndent('  ', `makes, renews and in the end deletes ${lease}, which keeps other runs away`, 4),
    ...costLines(cost).map((line) => hangingIndent('  ', line, 4)),
    '',
    colors.strong('Permissions'),
    ...(lacks.length === 0 ? ['  all there'] : lacks),
    '',
  ].join('\n');
}

function scenarioLines({ title, writes, notes, open, prediction }: ScenarioPlan, colors: Paint): readonly string[] {
  const expected = prediction === null ? [] : [hangingIndent('  ', `expected: ${clocksText(prediction)}`, 4)];
  const steps = (prediction?.steps ?? []).map(({ afterSeconds, what, because }) =>
    hangingIndent(`    ${between(afterSeconds).padEnd(12)} `, `${what}: ${because}`),
  );
  const lasts = prediction === null ? '' : `, ${between(prediction.durationSeconds)}`;
  return [
    colors.strong(`${title}${lasts}`),
    ...writes.flatMap(writeLines),
    ...(open === null ? [] : [hangingIndent(`  ${colors.doubtful('open now')}: `, open, 4)]),
    ...notes.map((note) => hangingIndent('  ', note, 4)),
    ...expected,
    ...steps,
  ];
}

/** The command to copy stays on its line. */
function writeLines({ action, subject, change, undo }: PlannedWrite): readonly string[] {
  const what = change === '' ? subject : `${subject}, ${change}`;
  return [hangingIndent('  ', `${action}: ${what}`, 4), ...(undo === null ? [] : [`    by hand: ${undo}`])];
}

function costLines({ durationSeconds, downtimeSeconds, newNodes, requests }: RunCost): readonly string[] {
  return [
    `lasts ${between(durationSeconds)}`,
    `makes at most ${newNodes} new nodes, which the autoscaler takes away again by its own rules`,
    `sends ${requests.least} to ${requests.most} requests to the application`,
    downtimeSeconds.most === 0 ? 'is to cost no downtime' : `may cost ${between(downtimeSeconds)} of downtime`,
  ];
}

function between({ least, most }: Range): string {
  return least === most ? lengthOf(most) : `${lengthOf(least)} to ${lengthOf(most)}`;
}

/** Nobody plans by the second what lasts for minutes. */
function lengthOf(seconds: number): string {
  return formatDuration(seconds > 180 ? Math.ceil(seconds / 60) * 60 : Math.ceil(seconds));
}
