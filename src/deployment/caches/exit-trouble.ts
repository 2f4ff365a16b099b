import type { StepTrouble } from '../record/states.ts';

/** How a step ended, and what to do where PHP found no artisan: its own words are in the log. */
export function exitTrouble(exitCode: number, output: string): StepTrouble {
  const because = `exit code ${exitCode}`;
  if (!/^Could not open input file: artisan$/m.test(output)) return { because };
  const advice = 'a site that is not Laravel needs --preset none';
  return { because: `${because}, because there is no artisan in the checkout; ${advice}`, lacks: 'artisan' };
}
