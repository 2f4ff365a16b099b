import assert from 'node:assert/strict';
import { execFileSync, spawnSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { type TestContext, test } from 'node:test';
import { hasAddresses } from '../../../src/rehearsal/listen/own-addresses.ts';
import { needs } from '../../support/needs.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';

test('a machine has the addresses of its interfaces, and only together do they count', () => {
  assert.equal(hasAddresses(['127.0.0.1']), true);
  assert.equal(hasAddresses(['127.0.0.1', '205.251.193.10']), false);
});

test('in a network namespace with the cluster’s addresses plain programs find the application by its name', (t) => {
  if (!(needs(t, 'curl') && canMakeNamespaces(t))) return;
  const folder = temporaryFolder(t);
  const listen = `${import.meta.dirname}/../../../src/cli/commands/listen.ts`;
  const node = `${import.meta.dirname}/../../../src/host/node.ts`;
  writeFileSync(
    `${folder}/serve.ts`,
    `import { listen } from '${listen}';
import { nodeHost } from '${node}';
const flags = { json: true, quiet: false, verbose: false, color: false };
const context = { host: nodeHost(), environment: {}, version: '0.0.0', flags };
await listen(context, { seed: 1, defect: [], manifests: 'hardened', out: '${folder}/run', listenFor: 3 });
process.exit();
`,
  );
  writeFileSync(`${folder}/resolv.conf`, 'nameserver 10.0.0.2\n');
  const script = `${namespaceOf(readFileSync(`${import.meta.dirname}/../../../docs/rehearse-listen.md`, 'utf8'))}
mount --bind ${folder}/resolv.conf /etc/resolv.conf
${process.execPath} ${folder}/serve.ts > ${folder}/settings.json &
for turn in $(seq 100); do [ -s ${folder}/settings.json ] && break; sleep 0.1; done
curl -sS --max-time 5 http://app.example.com/
kill $!`;
  const page = execFileSync('unshare', ['--net', '--mount', 'sh', '-c', script], { stdio: 'pipe' }).toString();
  assert.match(page, /<h1>Welcome to nginx!<\/h1>/);
  assert.equal(JSON.parse(readFileSync(`${folder}/settings.json`, 'utf8')).atOwnAddresses, true);
});

/** The documentation's own lines for the addresses. */
function namespaceOf(documentation: string): string {
  const lines = documentation.split('\n').filter((line) => line.includes('ip link') || line.includes('ip address'));
  assert.equal(lines.length, 2);
  return lines.join('\n');
}

function canMakeNamespaces(t: TestContext): boolean {
  if (spawnSync('unshare', ['--net', '--mount', 'ip', 'link', 'set', 'lo', 'up']).status === 0) return true;
  t.skip('network namespaces cannot be made here');
  return false;
}
