import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { assertMistakes, holdfast } from '../../support/command-line.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';

const brokenSettings =
  'validaton: {}\nvalidation: { ulr: http://x/, monitor: { slow: soon } }\ndeployment: { branc: x }\n';

test('wrong flags, wrong names and a wrong settings file are reported together', (t) => {
  const folder = temporaryFolder(t);
  writeFileSync(join(folder, 'holdfast.yaml'), brokenSettings);
  const words = ['rehearse', '--seed', 'x', '--scenario', 'nope', '--defect', 'foo', '--listen-for', '5s'];
  assertMistakes(
    holdfast(folder, words),
    /--seed is 'x'/,
    /no scenario nope; known are scale-up/,
    /no defect foo; known are /,
    /--listen-for limits how long --listen serves: add --listen\./,
    /holdfast\.yaml: validaton is not a known setting; did you mean validation\?/,
    /validation\.monitor\.slow is 'soon'/,
    /validation\.ulr is not a known setting; did you mean url\?/,
  );
});

test('for a real cluster the kubeconfig, the downtime log and missing consent are reported together too', (t) => {
  const folder = temporaryFolder(t);
  writeFileSync(join(folder, 'holdfast.yaml'), brokenSettings);
  const flags = [
    '--manifests',
    'z',
    '--scenario',
    'bogus',
    'instance-kill',
    '--from',
    'nope',
    '--downtime-log',
    'nosuch',
  ];
  const both = [/there is no kubeconfig /, /validaton is/, /validation\.monitor\.slow/, /validation\.ulr/];
  assertMistakes(
    holdfast(folder, ['validate', ...flags]),
    /--manifests is "z"/,
    /no scenario bogus/,
    /no scenario nope/,
    /--downtime-log nosuch does not exist/,
    /add --yes/,
    /add --allow-terminate/,
    ...both,
  );
  assertMistakes(holdfast(folder, ['plan', '--from', 'nope']), /no scenario nope/, ...both);
  assertMistakes(holdfast(folder, ['precheck']), ...both);
});

test('a mistake in the settings file hides no other mistake of a deploy', (t) => {
  const folder = temporaryFolder(t);
  writeFileSync(join(folder, 'holdfast.yaml'), brokenSettings);
  const words = ['deploy', '--app-dir', '.', '--branch', 'main', '--log-file', 'log'];
  assertMistakes(
    holdfast(folder, words),
    /validaton is not a known setting/,
    /healthUrl is missing/,
    /deployment\.branc is not a known setting/,
  );
});

test('a choice without any scenario, and flags without an effect, are mistakes', (t) => {
  const folder = temporaryFolder(t);
  const none = /--scenario load with --from dns-failure leaves no scenario/;
  assertMistakes(
    holdfast(folder, ['validate', '--from', 'dns-failure', '--scenario', 'load', '--yes']),
    none,
    /no kubeconfig/,
  );
  assertMistakes(holdfast(folder, ['plan', '--from', 'dns-failure', '--scenario', 'load']), none, /no kubeconfig/);
  assertMistakes(
    holdfast(folder, ['rehearse', '--listen', '--scenario', 'load']),
    /--listen serves the cluster and makes no run: leave out --scenario\./,
  );
});
