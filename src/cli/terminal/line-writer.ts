import { visible } from '../../host/visible.ts';
import { hangingIndent } from '../command/hanging-indent.ts';
import type { Screen, Viewer } from './screen.ts';

/** A log of a CI system stays readable, and under a megabyte, whatever a run tells. */
const mostBytesInCi = 512 * 1024;

/** One line a fact, for logs, pipes, CI systems and terminals that cannot move their cursor. */
export function lineWriter({ host, environment }: Viewer): Screen {
  const { talk, clock } = host;
  const sections = sectionsOf(environment);
  let number = 0;
  let isOpen = false;
  let left = sections === undefined ? Number.POSITIVE_INFINITY : mostBytesInCi;
  const now = (): number => clock.wallAt() / 1000;
  const write = (text: string): void => {
    if (left < 0) return;
    left -= Buffer.byteLength(text);
    talk.write(left < 0 ? `${leftOut}\n` : text);
  };
  const draw = (text: string): void => (talk.draw ?? talk.write)(text);
  const section = (title?: string): void => {
    if (sections === undefined) return;
    if (isOpen) draw(sections.end(number, now()));
    isOpen = title !== undefined;
    if (title !== undefined) draw(sections.begin(visible(title), ++number, now()));
  };
  return {
    host,
    finished: () => {},
    line: (text) =>
      write(`${talk.isTTY ? hangingIndent({ columns: talk.columns, isBroken: true }, '', text, 4) : text}\n`),
    section,
    touch: () => {},
    end: () => section(),
  };
}

const leftOut = 'This log has grown to 512 KiB: what the run tells from here on is only in the journal of its folder.';

/** How a CI system learns where a foldable part of the output begins and ends. */
interface Sections {
  readonly begin: (title: string, number: number, atSeconds: number) => string;
  readonly end: (number: number, atSeconds: number) => string;
}

/** The sections of the CI system whose variables are set; undefined elsewhere. */
function sectionsOf(environment: Readonly<Record<string, string | undefined>>): Sections | undefined {
  if (environment.GITHUB_ACTIONS === 'true') return github;
  return environment.GITLAB_CI === 'true' ? gitlab : undefined;
}

/** GitHub, "Workflow commands for GitHub Actions", "Grouping log lines". */
const github: Sections = {
  begin: (title) => `::group::${title}\n`,
  end: () => '::endgroup::\n',
};

/** GitLab, "CI/CD job logs", "Custom collapsible sections". */
const gitlab: Sections = {
  begin: (title, number, atSeconds) =>
    `${clear}section_start:${Math.floor(atSeconds)}:holdfast_${number}[collapsed=true]\r${clear}${title}\n`,
  end: (number, atSeconds) => `${clear}section_end:${Math.floor(atSeconds)}:holdfast_${number}\r${clear}\n`,
};

const clear = `${String.fromCharCode(0x1b)}[0K`;
