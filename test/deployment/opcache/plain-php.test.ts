import assert from 'node:assert/strict';
import { utimesSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { openCheckout } from '../../../src/deployment/checkout/open-checkout.ts';
import { deploy } from '../../../src/deployment/deploy.ts';
import { examine } from '../../../src/deployment/doctor.ts';
import { buildPhpSite } from '../support/foreign-pools.ts';
import { needsPhpServer } from '../support/php-server.ts';
import { quietHost } from '../support/quiet-host.ts';

for (const [preset, web] of [
  ['none', 'nginx'],
  ['none', 'unknown'],
  ['php', 'unknown'],
] as const)
  test(`a commit of plain PHP is judged by its own code, also a good one after one that throws: preset ${preset}, web server ${web}`, async (t) => {
    if (!needsPhpServer(t)) return;
    const site = await buildPhpSite(t, { web, files: { 'version.php': "<?php return 'one';" }, beside: ['other'] });
    const file = { preset };
    const doctor = await examine(
      quietHost(),
      site.settings(file),
      await openCheckout(quietHost(), site.settings(file)),
    );
    assert.match(doctor.map(({ said }) => said).join('\n'), /reset by FastCGI at/);
    const push = async (text: string) => {
      site.push({ 'version.php': text });
      return deploy(quietHost(), site.settings(file));
    };
    if (web === 'nginx') {
      const broken = await push("<?php throw new Exception('broken');");
      assert.equal(broken.state, 'rolled-back', site.log());
    }
    assert.equal(await site.page(), 'one');
    for (const path of ['public/index.php', 'version.php']) utimesSync(join(site.app, path), 1, 1);
    assert.equal((await push("<?php return 'two';")).state, 'verified', site.log());
    assert.equal(await site.page(), 'two');
  });
