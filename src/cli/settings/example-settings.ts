import { exampleDeployment, exampleMonitor } from './example-deployment.ts';
import { exampleValidation } from './example-validation.ts';
import { type Setting, settingLines } from './setting.ts';

/** What stands above the settings of validation, each of which has its default. */
export const aboveValidation = [
  'Settings of holdfast. Every value of validation is its default: delete what you do not change.',
  `Durations are written 500ms, 10s, 2m, 1h. \${NAME} takes a value from the environment: no secret has to stand here.`,
];

/** A settings file: comments, and sections with a blank line above each. */
export function settingsText(above: readonly string[], sections: readonly Setting[]): string {
  const parts = [above.map((line) => `# ${line}`), ...sections.map((section) => settingLines(section))];
  return `${parts.map((lines) => lines.join('\n')).join('\n\n')}\n`;
}

/**
 * What `init` writes: every setting of validation with its default, and those of deployment to fill in
 * (docs/contract.md, "holdfast.yaml").
 */
export const exampleSettings = settingsText(aboveValidation, [exampleValidation, exampleMonitor, exampleDeployment]);
