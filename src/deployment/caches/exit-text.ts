/** How a step ended, and what to do where PHP found no artisan: its own words are in the log. */
export function exitText(exitCode: number, output: string): string {
  const text = `exit code ${exitCode}`;
  if (!/^Could not open input file: artisan$/m.test(output)) return text;
  return `${text}${withoutArtisan}`;
}

/** Whether a step failed with that text. */
export function isWithoutArtisan(because: string): boolean {
  return because.endsWith(withoutArtisan);
}

const withoutArtisan = ', because there is no artisan in the checkout; a site that is not Laravel needs --preset none';
