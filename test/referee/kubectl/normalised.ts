/**
 * The lines of an output with placeholders for what two clusters, or two runs, cannot have in common, and the blanks of
 * tables as two.
 */
export function normalised(output: string): readonly string[] {
  const lines = output.split('\n').map(line);
  // How often kubectl sees a rollout go on depends on the machine.
  const seen = lines.filter((one) => !one.startsWith('Waiting for deployment'));
  return sortedEvents(sortedDrawn(seen.filter((one, at) => one !== '' || at < seen.length - 1)));
}

const drawn = '[bcdfghjklmnpqrstvwxz2456789]';

const placeholders: readonly (readonly [RegExp, string])[] = [
  [/[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}/g, '<uid>'],
  [/\b\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?(Z|[+-]\d\d:\d\d)/g, '<time>'],
  [/\b\d{4}-\d\d-\d\d \d\d:\d\d:\d\d\.\d+ [+-]\d{4}/g, '<time>'],
  [/\b(Mon|Tue|Wed|Thu|Fri|Sat|Sun), \d\d \w{3} \d{4} \d\d:\d\d:\d\d [+-]\d{4}/g, '<time>'],
  [new RegExp(`\\bkube-api-access-${drawn}{5}\\b`, 'g'), 'kube-api-access-<drawn>'],
  [/resourceVersion: "\d+"/g, 'resourceVersion: "<rv>"'],
  [new RegExp(`\\b(web|shop)-${drawn}{6,10}-${drawn}{5}\\b`, 'g'), '$1-<hash>-<drawn>'],
  [new RegExp(`\\b(web|shop)-${drawn}{6,10}\\b`, 'g'), '$1-<hash>'],
  [new RegExp(`(pod-template-hash=)${drawn}{6,10}\\b`, 'g'), '$1<hash>'],
  [new RegExp(`\\b(once|web|shop)-${drawn}{5}\\b`, 'g'), '$1-<drawn>'],
  [/\b10\.(96|100)\.\d+\.\d+\b/g, '<clusterip>'],
  [/\b10\.50\.0\.\d+\b/g, '<podip>'],
  [/https:\/\/127\.0\.0\.1:\d+/g, '<server>'],
  [/\/tmp\/[\w./-]+/g, '<file>'],
  [/(?<=^|\s|\()(\d+[smhd])+(?=\s|\)|$)/g, '<age>'],
  [/(?<=\S) {2,}/g, '  '],
];

const line = (text: string): string =>
  placeholders.reduce((done, [pattern, word]) => done.replace(pattern, word), text).trimEnd();

/** Neighbours whose names a controller drew come in the order of these names. */
function sortedDrawn(lines: readonly string[]): readonly string[] {
  const runs: string[][] = [];
  for (const one of lines) {
    const last = runs.at(-1);
    const isDrawn = /<(hash|drawn)>/.test(one);
    if (last !== undefined && isDrawn && /<(hash|drawn)>/.test(last[0] ?? '')) last.push(one);
    else runs.push([one]);
  }
  return runs.flatMap((run) => run.toSorted());
}

/** Events of one second come in any order. */
function sortedEvents(lines: readonly string[]): readonly string[] {
  const at = lines.findIndex((one) => one.startsWith('Events:'));
  return at < 0 ? lines : [...lines.slice(0, at + 1), ...lines.slice(at + 1).toSorted()];
}
