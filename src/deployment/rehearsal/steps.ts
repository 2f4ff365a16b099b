import type { CommandResult } from '../../host/host.ts';
import type { DeployDocument } from '../record/document.ts';
import { buildScript, failingBuildScript, slowBuildScript } from './build-script.ts';
import type { ThrowAwaySite } from './throw-away-site.ts';

/** One action on the throw-away site, and its expected result. */
export interface RehearsalStep {
  readonly does: string;
  readonly expected: string;
  /** Does it and returns the result, in the words of `expected`. */
  readonly perform: (site: ThrowAwaySite) => Promise<string>;
}

/** Good, broken and killed deploys, one after the other on the same site. */
export const rehearsalSteps: readonly RehearsalStep[] = [
  {
    does: 'a good commit',
    expected: 'verified, exit 0, page two',
    perform: (site) => pushed(site, { page: 'page two' }),
  },
  {
    does: 'a commit that answers 500',
    expected: 'rolled-back, exit 3, page two',
    perform: (site) => pushed(site, { page: 'page bad', status: '500' }),
  },
  {
    does: 'the same commit again, as by a timer',
    expected: 'aborted, exit 6, page two',
    perform: (site) => pageAfter(site, 'deploy'),
  },
  {
    does: 'a commit whose build fails',
    expected: 'rolled-back, exit 3, page two',
    perform: (site) => pushed(site, { status: '200', build: failingBuildScript }),
  },
  {
    does: 'a good commit, over an edit on the server',
    expected: 'verified, exit 0, page three',
    perform: async (site) => {
      await site.write('page', 'edited by hand');
      return pushed(site, { page: 'page three', build: buildScript });
    },
  },
  {
    does: 'kill -9 while a good commit is built',
    expected: 'killed, page four',
    perform: (site) => killed(site, { page: 'page four' }),
  },
  {
    does: 'the next deploy',
    expected: 'verified, exit 0, page four',
    perform: (site) => pageAfter(site, 'deploy'),
  },
  {
    does: 'kill -9 while a broken commit is built',
    expected: 'killed, status 500',
    perform: (site) => killed(site, { page: 'page bad', status: '500' }),
  },
  {
    does: 'doctor --repair',
    expected: 'unchanged, exit 0, page four',
    perform: (site) => pageAfter(site, 'doctor', '--repair'),
  },
  {
    does: 'two deploys of a good commit at once',
    expected: 'exit 0 and 6, page five',
    perform: (site) => twice(site, { page: 'page five', status: '200', build: slowBuildScript }),
  },
  {
    does: 'rollback',
    expected: 'verified, exit 0, page four',
    perform: (site) => pageAfter(site, 'rollback'),
  },
];

type Files = Readonly<Record<string, string>>;

async function pushed(site: ThrowAwaySite, files: Files): Promise<string> {
  await site.push(files);
  return pageAfter(site, 'deploy');
}

async function killed(site: ThrowAwaySite, files: Files): Promise<string> {
  await site.write('../killer', '');
  return pushed(site, files);
}

async function twice(site: ThrowAwaySite, files: Files): Promise<string> {
  await site.push(files);
  const both = await Promise.all([site.holdfast('deploy'), site.holdfast('deploy')]);
  const codes = both.map(({ exitCode }) => exitCode).toSorted((a, b) => a - b);
  return `exit ${codes.join(' and ')}, ${await visited(site)}`;
}

/** Runs holdfast with these words, and returns how it ended and the page after it. */
async function pageAfter(site: ThrowAwaySite, ...words: readonly string[]): Promise<string> {
  return `${ended(await site.holdfast(...words, '--json'))}, ${await visited(site)}`;
}

function ended({ exitCode, stdout }: CommandResult): string {
  // 128 + SIGKILL.
  if (exitCode === 137) return 'killed';
  const { state } = (stdout === '' ? {} : JSON.parse(stdout)) as Partial<DeployDocument>;
  return `${state ?? 'no document'}, exit ${exitCode}`;
}

async function visited(site: ThrowAwaySite): Promise<string> {
  const { status, page } = await site.visit();
  return status === 200 ? page : `status ${status}`;
}
