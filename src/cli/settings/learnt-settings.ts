import { exampleSettings } from './example-settings.ts';

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

/**
 * The example settings of one part, with the values that were found; those of a deploy to be filled in are no comments.
 */
export function learntPart(part: Part, learnt: Learnt = {}): string {
  const [above = '', below = ''] = learntSettings(learnt).split(/(?=^(?:# )?deployment:)/m);
  if (part === 'validation') return `${above.trimEnd()}\n`;
  return `# Settings of holdfast for deploys. \${NAME} takes a value from the environment: no secret has to stand here.\n\n${uncommented(below, deploymentKeys)}`;
}

const deploymentKeys = ['appDir', 'branch', 'logFile', 'healthUrl', 'preset'];

/** The example settings with the values that were found. An application that exists already is validated as it is. */
export function learntSettings({ validation, deployment }: Learnt): string {
  const [above = '', below = ''] = exampleSettings.split(/(?=^# deployment:)/m);
  const known = validation === undefined ? {} : { ...validation, manifests: 'none' };
  const site = deployment === undefined ? below : withValues(uncommented(below, Object.keys(deployment)), deployment);
  return `${withValues(above, known)}${site}`;
}

/** The lines of those keys, and the key above them, become settings. */
function uncommented(section: string, keys: readonly string[]): string {
  const wanted = new RegExp(`^# (deployment:|  (?:${keys.join('|')}):)`, 'gm');
  return section.replace(wanted, '$1');
}

/** Replaces the values of the section's own keys, which are indented by two columns; the comment beside each stays. */
function withValues(section: string, values: Readonly<Record<string, string>>): string {
  return Object.entries(values).reduce((text, [key, value]) => {
    const line = new RegExp(`^  ${key}: \\S+( *)(?=#|$)`, 'm');
    return text.replace(line, () => `  ${key}: ${scalar(value)}  `);
  }, section);
}

/** As YAML reads it back: quoted where it is not plain. */
const scalar = (value: string): string => (/^[A-Za-z/][\w./:-]*$/.test(value) ? value : JSON.stringify(value));
