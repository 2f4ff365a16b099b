/** How a CI system learns where a foldable part of the output begins and ends. */
export interface Sections {
  readonly begin: (title: string, number: number, atSeconds: number) => string;
  readonly end: (number: number, atSeconds: number) => string;
}

/** The sections of the CI system whose variables are set; undefined elsewhere. */
export function sectionsOf(environment: Readonly<Record<string, string | undefined>>): Sections | undefined {
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
