import { execFile } from 'node:child_process';
import { existsSync, mkdirSync } from 'node:fs';
import { join } from 'node:path';
import type { TestContext } from 'node:test';
import { promisify } from 'node:util';
import { freePort } from '../../support/free-port.ts';
import { kitPython, kitScript, type Program, start } from './programs.ts';

const run = promisify(execFile);

/**
 * The kit's AWS (moto, with what an account of a cluster named `referee` has, behind the kit's proxy) on loopback; its
 * URL.
 */
export async function startAws(t: TestContext, folder: string): Promise<string> {
  const port = await freePort();
  for (const name of ['run', 'log']) mkdirSync(join(folder, name), { recursive: true });
  const moto = await startMoto(t, { MOTO_EC2_LOAD_DEFAULT_AMIS: 'false' });
  const { port: motoPort } = new URL(moto);
  const seed = join(folder, 'run', 'seed.json');
  await run(kitPython, [kitScript('aws_seed.py'), moto, seed, 'referee', 'example.com', '0']);
  const proxy = start(t, kitPython, [kitScript('aws_proxy.py'), '127.0.0.1', String(port), motoPort, folder]);
  const url = `http://127.0.0.1:${port}`;
  await answering(`${url}/moto-api/`, proxy);
  return url;
}

/** Whether the kit's Python environment has moto; else the test is skipped. Debian has no package of it. */
export function needsMoto(t: TestContext): boolean {
  if (existsSync(kitPython)) return true;
  t.skip(`there is no ${kitPython}: run the kit’s verb install (docs/real-cluster.md)`);
  return false;
}

/** moto alone on loopback, with nothing in it; its URL. */
export async function startMoto(t: TestContext, environment: Readonly<Record<string, string>> = {}): Promise<string> {
  const port = await freePort();
  const words = ['-c', 'import sys; from moto.server import main; main(sys.argv[1:])'];
  const server = start(t, kitPython, [...words, '-H', '127.0.0.1', '-p', String(port)], {
    INITIAL_NO_AUTH_ACTION_COUNT: '100000000',
    ...environment,
  });
  const url = `http://127.0.0.1:${port}`;
  await answering(`${url}/moto-api/`, server);
  return url;
}

async function answering(url: string, program: Program): Promise<void> {
  for (const end = Date.now() + 90_000; Date.now() < end; ) {
    const answer = await fetch(url).catch(() => undefined);
    if (answer !== undefined) return void (await answer.body?.cancel());
    await new Promise((resolve) => setTimeout(resolve, 200));
  }
  throw new Error(`${url} does not answer after 90 s: ${program.output().slice(-600)}`);
}
