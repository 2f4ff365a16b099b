import { type ChildProcess, spawn } from 'node:child_process';
import { existsSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import type { Site } from './site.ts';

export interface Ended {
  readonly exitCode: number;
  readonly stdout: string;
  readonly stderr: string;
}
export interface Running {
  readonly child: ChildProcess;
  readonly ended: Promise<Ended>;
}

const program = fileURLToPath(new URL('../../../bin/holdfast.js', import.meta.url));

/** The program itself with the specification's variables for this site, as it is started in the site's folder. */
export function programOf(
  site: Site,
  words: readonly string[],
): { readonly command: readonly string[]; readonly environment: Readonly<Record<string, string>> } {
  const settings = {
    APP_DIR: site.app,
    BRANCH: 'main',
    LOG_FILE: `${site.folder}/deploy.log`,
    HEALTH_URL: site.healthUrl,
  };
  const configuration = `${site.folder}/holdfast.yaml`;
  if (!existsSync(configuration))
    writeFileSync(configuration, JSON.stringify({ deployment: { opcache: { wait: '0s' } } }));
  return { command: [process.execPath, program, ...words], environment: { ...site.environment, ...settings } };
}

export function startHoldfast(
  site: Site,
  words: readonly string[],
  more: Readonly<Record<string, string>> = {},
): Running {
  const { command, environment } = programOf(site, words);
  return startProgram(site.folder, command, { ...environment, ...more });
}

/** A program as a process of its own, in this folder. */
export function startProgram(
  folder: string,
  [program = '', ...words]: readonly string[],
  env: Readonly<Record<string, string>>,
): Running {
  const child = spawn(program, words, { cwd: folder, env: { ...env }, stdio: ['ignore', 'pipe', 'pipe'] });
  const said = { stdout: '', stderr: '' };
  for (const name of ['stdout', 'stderr'] as const) {
    child[name]?.setEncoding('utf8').on('data', (text: string) => {
      said[name] += text;
    });
  }
  const ended = new Promise<Ended>((resolve) => {
    child.on('close', (code) => resolve({ exitCode: code ?? -1, ...said }));
  });
  return { child, ended };
}

export function holdfast(
  site: Site,
  words: readonly string[],
  environment?: Readonly<Record<string, string>>,
): Promise<Ended> {
  return startHoldfast(site, words, environment).ended;
}

/** Waits until it holds; the limit, of two minutes where nothing is said, is only there so that a defect ends. */
export async function until(holds: () => boolean, what: string, mostSeconds = 120): Promise<void> {
  for (let waited = 0; waited < 100 * mostSeconds; waited++) {
    if (holds()) return;
    await new Promise((resolve) => setTimeout(resolve, 10));
  }
  throw new Error(`waited in vain until ${what}`);
}
