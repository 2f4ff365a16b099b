import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { test } from 'node:test';
import fc from 'fast-check';
import { deploymentCommands } from '../../src/cli/commands/deployment-commands.ts';
import { flagNames } from '../../src/deployment/settings/sources.ts';
import { kebab } from '../../src/fleet/read-servers.ts';
import { knownOptions, programLine, remoteScript } from '../../src/fleet/remote-script.ts';
import type { Server } from '../../src/fleet/server.ts';

const server: Server = { name: 'web1', host: 'web1', program: ['printf', '%s\\n'], options: {} };
const sh = (script: string) =>
  execFileSync('sh', { input: script, encoding: 'utf8', stdio: ['pipe', 'pipe', 'ignore'] });

test('a command gets the options that it knows, and those are the ones of its help', () => {
  for (const [name, known] of Object.entries(knownOptions)) {
    const entry = deploymentCommands.find((one) => one.name === name);
    const flags = entry?.options.map((option) => option.flags.split(' ')[0]) ?? [];
    const sent = Object.keys(flagNames).filter((flag) => flags.includes(`--${kebab(flag)}`));
    assert.deepEqual(known.toSorted(), sent.toSorted(), name);
  }
});

test('the server’s shell gives every word to the program as it was written', () => {
  const value = fc.string({ unit: 'grapheme' }).filter((text) => !text.includes('\0') && text.trim() !== '');
  fc.assert(
    fc.property(value, value, (appDir, config) => {
      const line = programLine({ ...server, config, options: { appDir } }, 'status');
      assert.equal(sh(remoteScript([line])), `--json\n--config=${config}\nstatus\n--app-dir=${appDir}\n`);
    }),
    { numRuns: 25 },
  );
});

test('of a script that was cut off nothing runs', () => {
  const script = remoteScript(['echo ran', 'echo ran to the end']);
  const whole = sh(script);
  for (let length = 0; length < script.trimEnd().length; length += 3) {
    let printed = '';
    try {
      printed = sh(script.slice(0, length));
    } catch {
      // The shell refuses what is no whole function.
    }
    assert.equal(printed, '', script.slice(0, length));
  }
  assert.equal(whole, 'ran\nran to the end\n');
});
