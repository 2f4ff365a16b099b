import { cpSync, mkdirSync, readFileSync, unlinkSync, utimesSync, writeFileSync } from 'node:fs';
import type { TestContext } from 'node:test';
import { deploy } from '../../src/deployment/deploy.ts';
import type { DeployDocument } from '../../src/deployment/record/document.ts';
import { rollback } from '../../src/deployment/rollback.ts';
import { nodeDrain } from '../../src/validation/scenarios/node-drain.ts';
import { singleReplica } from '../../src/validation/scenarios/single-replica.ts';
import { quietHost } from '../deployment/support/quiet-host.ts';
import { buildSite, type Site } from '../deployment/support/site.ts';
import { rehearse } from './rehearse.ts';
import { temporaryFolder } from './temporary-folder.ts';

/**
 * Ten run folders, the newest first: every second one of a cluster without a disruption budget, on which a drain cuts
 * visitors off. In a folder that goes with the test, or in the one that is given.
 */
export async function tenRuns(t: TestContext, folder: string = temporaryFolder(t)): Promise<readonly string[]> {
  const scenarios = [singleReplica, nodeDrain];
  const made = temporaryFolder(t);
  for (const name of ['good', 'bad']) mkdirSync(`${made}/${name}`);
  await rehearse(t, { folder: `${made}/good`, scenarios });
  await rehearse(t, { folder: `${made}/bad`, scenarios, world: { defects: ['no-disruption-budget'] } });
  return Array.from({ length: 10 }, (_, index) => runOfDay(made, folder, 10 - index));
}

/** The same run on another day of January. */
function runOfDay(made: string, folder: string, day: number): string {
  const date = `2026-01-${String(day).padStart(2, '0')}`;
  const run = `${folder}/${date}T00-00-00Z-rehearsal`;
  cpSync(`${made}/${day % 2 === 0 ? 'bad' : 'good'}`, run, { recursive: true });
  for (const name of ['journal.jsonl', 'downtime.log']) {
    const text = readFileSync(`${run}/${name}`, 'utf8');
    writeFileSync(`${run}/${name}`, text.replaceAll('2026-01-01T', `${date}T`));
    utimesSync(`${run}/${name}`, 1_767_225_600 + day * 86_400, 1_767_225_600 + day * 86_400);
  }
  return run;
}

export interface Deployed {
  readonly site: Site;
  readonly ended: readonly DeployDocument[];
  /** Begins a deploy that waits in the middle of its way back, as long as nothing lets it go on. */
  readonly beginBad: () => { readonly goOn: () => void; readonly ended: Promise<DeployDocument> };
}

/**
 * A site with ten deploys behind it, with visitors and a chat: seven were verified, one was rolled back, one found
 * nothing to fetch, and one command went back.
 */
export async function tenDeploys(t: TestContext, slackWebhookUrl: string): Promise<Deployed> {
  const site = await buildSite(t);
  const settings = (message: string) =>
    site.settings({ message, probeRate: '50' }, { slackWebhookUrl, monitor: { torn: '(two)|(three)' } });
  const ended: DeployDocument[] = [];
  const deployed = async (message: string, page: string, status = '200') => {
    site.push({ page, status });
    ended.push(await deploy(quietHost(), settings(message)));
  };
  for (const page of ['two', 'three', 'four', 'five', 'six', 'seven', 'eight']) await deployed(`page ${page}`, page);
  await deployed('a broken page', 'nine', '500');
  ended.push(await rollback(quietHost(), settings('the old cart')));
  ended.push(await deploy(quietHost(), { ...settings('a branch that is not there'), branch: 'gone' }));
  const beginBad = () => {
    site.push({ page: 'ten', status: '500' });
    // The stand-in for PHP waits in the last cache of the way back, and of the way there before it.
    const held = `${site.app}/hold-view:cache`;
    writeFileSync(held, '');
    return { goOn: () => unlinkSync(held), ended: deploy(quietHost(), settings('live, and broken')) };
  };
  return { site, ended, beginBad };
}
