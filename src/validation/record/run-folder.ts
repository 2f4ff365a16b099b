/** The files of a run folder (docs/contract.md, "The run folder"). */
export const runFiles = {
  downtimeLog: 'downtime.log',
  journal: 'journal.jsonl',
  settings: 'settings.json',
  reportJson: 'report.json',
  reportMarkdown: 'report.md',
  reportHtml: 'report.html',
  junit: 'junit.xml',
  world: 'world.json',
} as const;

/** The copies of the logs of several monitors, in the order in which they were given. */
export const vantageLogFile = (index: number): string =>
  index === 0 ? runFiles.downtimeLog : `downtime-${index + 1}.log`;

/** `2026-11-20T10-00-00Z-rehearsal`: sorts by time and is a legal name on every file system. */
export function runFolderName(at: number, kind: 'rehearsal' | 'cluster'): string {
  return `${new Date(at).toISOString().slice(0, 19).replaceAll(':', '-')}Z-${kind}`;
}
