import assert from 'node:assert/strict';
import { execFileSync, spawnSync } from 'node:child_process';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { parse } from 'yaml';
import { strong } from '../../support/own-manifests.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';

const project = join(import.meta.dirname, '../../..');
const page = readFileSync(join(project, 'docs/rehearse-your-own.md'), 'utf8');
const jobs = [...page.matchAll(/^```yaml\n(.*?)^```$/gms)].map(([, text = '']) => parse(text));

const environment = {
  PATH: process.env.PATH ?? '',
  GIT_CONFIG_GLOBAL: '/dev/null',
  GIT_AUTHOR_NAME: 'a',
  GIT_AUTHOR_EMAIL: 'a@example.com',
  GIT_COMMITTER_NAME: 'a',
  GIT_COMMITTER_EMAIL: 'a@example.com',
};

/** A checkout of a branch whose only change is that the preStop sleep is gone, with its origin. */
function branchCheckedOut(t: TestContext): { readonly folder: string; readonly checkout: string } {
  const folder = temporaryFolder(t);
  const checkout = join(folder, 'checkout');
  mkdirSync(join(checkout, 'k8s'), { recursive: true });
  const git = (...words: readonly string[]) => execFileSync('git', words, { cwd: checkout, env: environment });
  const write = (is: 'gentle' | 'hasty') => {
    const all = strong(is).map((one) => JSON.stringify(one, null, 1));
    writeFileSync(join(checkout, 'k8s/web.yaml'), all.join('\n---\n'));
    git('add', '--all');
    git('commit', '--quiet', '--message', is);
  };
  git('init', '--quiet', '--initial-branch', 'main');
  git('init', '--quiet', '--bare', join(folder, 'origin.git'));
  git('remote', 'add', 'origin', join(folder, 'origin.git'));
  write('gentle');
  git('push', '--quiet', '--set-upstream', 'origin', 'main');
  git('switch', '--quiet', '--create', 'hasty');
  write('hasty');
  return { folder, checkout };
}

function run(checkout: string, steps: readonly string[], more: Readonly<Record<string, string>>) {
  const program = `${process.execPath} ${join(project, 'bin/holdfast.js')}`;
  // One scenario and no search: the job is tried here, not the rehearsal.
  const script = steps
    .join('\n')
    .replace('npx holdfast rehearse', `${program} rehearse --scenario scale-down --seed 2 --no-assumptions`);
  return spawnSync('sh', ['-euc', script], {
    cwd: checkout,
    encoding: 'utf8',
    env: { ...environment, HOME: checkout, ...more },
  });
}

test('the GitHub job of the page fails for a change that makes it worse, with summary and annotations', (t) => {
  const { folder, checkout } = branchCheckedOut(t);
  const steps: readonly { readonly run?: string }[] = jobs.find(({ jobs: all }) => all)?.jobs.rehearse.steps;
  const commands = steps.flatMap(({ run: command }) => (command === undefined ? [] : [command]));
  const summary = join(folder, 'summary');
  const ran = run(
    checkout,
    commands.map((one) => one.replace(/\$\{\{ github\.base_ref \}\}/, 'main')),
    {
      GITHUB_ACTIONS: 'true',
      GITHUB_STEP_SUMMARY: summary,
    },
  );
  assert.equal(ran.status, 1, ran.stderr);
  assert.match(ran.stderr, /^::error file=k8s\/web\.yaml,line=\d+,/m);
  assert.match(readFileSync(summary, 'utf8'), /This change makes it worse, beside \.\.\/base\/k8s\//);
});

test('the GitLab job of the page leaves its summary, its JUnit file and its report', (t) => {
  const { checkout } = branchCheckedOut(t);
  const { script, artifacts } = jobs.find(({ rehearse }) => rehearse)?.rehearse ?? {};
  const ran = run(checkout, script, { CI_MERGE_REQUEST_TARGET_BRANCH_NAME: 'main' });
  assert.equal(ran.status, 1, ran.stderr);
  for (const path of [...artifacts.paths, artifacts.reports.junit])
    assert.ok(readFileSync(join(checkout, path), 'utf8').length > 0, path);
});
