import { exampleDeployment, exampleMonitor } from './example-deployment.ts';
import { aboveValidation, settingsText } from './example-settings.ts';
import { exampleValidation } from './example-validation.ts';
import type { Setting } from './setting.ts';

/** What `init` has found out about a cluster and a site. */
export interface Learnt {
  readonly validation?: {
    readonly url: string;
    readonly namespace: string;
    readonly application: string;
    readonly applicationKind: string;
  };
  readonly deployment?: {
    readonly appDir: string;
    readonly branch: string;
    readonly logFile: string;
    readonly healthUrl: string;
    readonly preset: string;
  };
}

/** The part of the settings that `init` writes alone, for who only validates or only deploys. */
export type Part = 'validation' | 'deployment';

const aboveDeployment = [
  `Settings of holdfast for deploys. \${NAME} takes a value from the environment: no secret has to stand here.`,
];
/** What a deploy has to know. */
const deploymentKeys: readonly string[] = ['appDir', 'branch', 'logFile', 'healthUrl', 'preset'];

/**
 * The example settings of one part, with the values that were found; those of a deploy to be filled in are no comments.
 */
export function learntPart(part: Part, { validation, deployment }: Learnt = {}): string {
  return part === 'validation'
    ? settingsText(aboveValidation, [validationWith(validation), exampleMonitor])
    : settingsText(aboveDeployment, [onlyOn(deploymentWith(deployment ?? {}), deploymentKeys)]);
}

/** The example settings with the values that were found. */
export function learntSettings({ validation, deployment }: Learnt): string {
  const site =
    deployment === undefined ? exampleDeployment : onlyOn(deploymentWith(deployment), Object.keys(deployment));
  return settingsText(aboveValidation, [validationWith(validation), exampleMonitor, site]);
}

/** An application that exists already is validated as it is. */
const validationWith = (found: Learnt['validation']): Setting =>
  found === undefined ? exampleValidation : withValues(exampleValidation, { ...found, manifests: 'none' });

const deploymentWith = (found: Readonly<Record<string, string>>): Setting => withValues(exampleDeployment, found);

/** A group with other values of its members. */
function withValues(section: Setting, values: Readonly<Record<string, string>>): Setting {
  const members = section.members.map((member) => {
    const value = values[member.key];
    return value === undefined ? member : { ...member, value: scalar(value) };
  });
  return { ...section, members };
}

/** A group that is a setting, and of its members these alone. */
function onlyOn(section: Setting, keys: readonly string[]): Setting {
  const members = section.members.map((member) => ({ ...member, isOff: !keys.includes(member.key) }));
  return { ...section, isOff: false, members };
}

/** As YAML reads it back: quoted where it is not plain. */
const scalar = (value: string): string => (/^[A-Za-z/][\w./:-]*$/.test(value) ? value : JSON.stringify(value));
