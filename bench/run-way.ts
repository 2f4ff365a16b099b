import { spawn } from 'node:child_process';
import type { Way } from './deploy-ways.ts';

export interface Cost {
  readonly seconds: number;
  readonly cpuSeconds: number;
}

/**
 * Runs a command of one of the ways to its end. The CPU time is what the shell counts for its children; for the peers
 * that is the client alone, without what sshd runs.
 */
export function runWay(site: Way['site'], words: readonly string[]): Promise<Cost> {
  const { app: APP_DIR, logFile: LOG_FILE, healthUrl: HEALTH_URL } = site;
  const env = { ...site.environment, APP_DIR, BRANCH: 'main', LOG_FILE, HEALTH_URL };
  const child = spawn('bash', ['-c', '"$@" >/dev/null 2>&1; times', 'bash', ...words], { env });
  let times = '';
  child.stdout.setEncoding('utf8').on('data', (text: string) => {
    times += text;
  });
  const startedAt = performance.now();
  return new Promise((resolve) => {
    child.on('close', () => {
      const seconds = (performance.now() - startedAt) / 1000;
      const parts = [...times.matchAll(/(\d+)m([\d.]+)s/g)].map(
        ([, minutes, rest]) => Number(minutes) * 60 + Number(rest),
      );
      resolve({ seconds, cpuSeconds: parts.reduce((sum, part) => sum + part, 0) });
    });
  });
}

/** Longer than opcache goes on with old code: no deploy meets what the one before it left. */
const restSeconds = 3.2;

export function rest(seconds = restSeconds): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, seconds * 1000));
}
