import { formatDuration } from '../settings/duration.ts';
import { storyLegend, trafficLegend } from './html/legend.ts';
import { runPicture } from './html/run-picture.ts';
import { scenarioSection } from './html/scenario-section.ts';
import {
  againstSection,
  applicationSection,
  assumptionSection,
  criteriaSection,
  findingSection,
  frontDoorSection,
  notRehearsedSection,
  notUndoneSection,
  outageSection,
  replacementSection,
  resultSection,
  troubleSection,
  undoSection,
  verdictSection,
} from './html/sections.ts';
import { style, styleHash } from './html/style.ts';
import { lifelines } from './lifelines.ts';
import { type Markup, markup, sourceOf } from './markup.ts';
import type { ReportedRun } from './reported-run.ts';
import { verdictWords } from './verdict.ts';

/**
 * `report.html`: one file without scripts and network requests, in light, dark and print, and well-formed XML. Its
 * Content-Security-Policy refuses anything that a name or a message from the cluster could inject.
 */
export function reportHtml(run: ReportedRun): string {
  return `<!DOCTYPE html>\n${sourceOf(page(run))}`;
}

function page(run: ReportedRun): Markup {
  const { result } = run;
  return markup`<html lang="en"><head><meta charset="utf-8"/>
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src '${styleHash}'; base-uri 'none'; form-action 'none'"/>
<meta name="viewport" content="width=device-width, initial-scale=1"/><meta name="color-scheme" content="light dark"/>
<title>${verdictWords(result)}: ${result.run.id}</title>
<style>${style}</style>
</head><body><main>
${verdictSection(result)}${notUndoneSection(run)}${applicationSection(result)}${timeSection(run)}${frontDoorSection(result)}${againstSection(result)}${troubleSection(run)}${notRehearsedSection(result)}${assumptionSection(result)}${resultSection(result)}${criteriaSection(result)}${scenariosSection(run)}${outageSection(result)}${replacementSection(result)}${undoSection(result)}${findingSection(result)}</main>
${footer(run)}</body></html>
`;
}

function timeSection(run: ReportedRun): Markup | undefined {
  const picture = runPicture(run);
  if (picture === undefined) return undefined;
  return markup`<section><h2>The run in time</h2><figure>${picture}
<figcaption>${trafficLegend}</figcaption></figure></section>
`;
}

function scenariosSection(run: ReportedRun): Markup {
  const lives = lifelines(run.facts);
  return markup`<section><h2>Scenarios</h2>
${storyLegend}
${run.result.scenarios.map((scenario, index) => scenarioSection(scenario, index + 1, run, lives))}</section>
`;
}

function footer({ result, traffic }: ReportedRun): Markup {
  const interval = traffic.intervalSeconds;
  const probe =
    interval === undefined
      ? 'There is no downtime log.'
      : `The probe sent a request every ${formatDuration(interval)}.`;
  return markup`<footer class="quiet"><p>${probe} An outage is a run of failed or slow answers, from the first bad one to the next good one. Its bounds are the shortest and the longest that it can have been. Time without a sample counts as neither up nor down. All times are UTC.</p>
<p>Made by ${result.tool.name} ${result.tool.version} from the journal and the downtime log alone.</p></footer>
`;
}
