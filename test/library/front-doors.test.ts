import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { stringify } from 'yaml';
import { rehearse, UsageError } from '../../src/library/index.ts';
import { strong } from '../support/own-manifests.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';

function manifests(t: TestContext): string {
  const file = join(temporaryFolder(t), 'web.yaml');
  writeFileSync(
    file,
    strong()
      .map((one) => stringify(one))
      .join('---\n'),
  );
  return file;
}

test('an application is rehearsed behind each front door, with what visitors notice and what to set', async (t) => {
  const { frontDoors, verdict } = await rehearse({
    files: [manifests(t)],
    scenarios: ['scale-down'],
    frontDoors: ['ingress-nginx', 'traefik', 'alb'],
    assumptions: false,
  });
  assert.equal(verdict, 'pass');
  assert.deepEqual(
    frontDoors?.map(({ name, declared, verdict: its }) => ({ name, declared, its })),
    [
      { name: 'ingress-nginx', declared: true, its: 'pass' },
      { name: 'traefik', declared: false, its: 'pass' },
      // Its targets are pods, which get requests for longer than a preStop sleep of 10 s lasts.
      { name: 'alb', declared: false, its: 'fail' },
    ],
  );
  const [, , alb] = frontDoors ?? [];
  assert.match(alb?.advice.map(({ what }) => what).join('; ') ?? '', /lifecycle\.preStop\.sleep\.seconds: 30/);
});

test('an unknown front door is a mistake that names the nearest', async (t) => {
  await assert.rejects(rehearse({ files: [manifests(t)], frontDoors: ['trafik'] }), (error: unknown) => {
    assert.ok(error instanceof UsageError);
    assert.match(error.mistakes.join('\n'), /there is no front door trafik; did you mean traefik\?/);
    return true;
  });
});
