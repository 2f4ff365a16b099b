/** Where the journal of a checkout is. */
export function journalPath(stateFolder: string): string {
  return `${stateFolder}/journal.jsonl`;
}
