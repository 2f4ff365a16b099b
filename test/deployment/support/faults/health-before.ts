import { deploymentTest, type Fault, guard, mutant } from './fault.ts';

const before = (name: string) => deploymentTest('health-before', name);
const neverShown = before('a release that fails by itself is never shown');

/** Faults that a release meets while it is asked by itself, before the link leads visitors to it. */
export const healthBeforeFaults: readonly Fault[] = [
  guard(
    147,
    'a release that fails by itself is shown to visitors, or the link is switched for nothing',
    neverShown,
    mutant(
      'deployment/health-before',
      "(await run.progress.advance(checked)) === 'reset'",
      '(await run.progress.advance(checked)) !== undefined',
    ),
    mutant(
      'deployment/return-to-release',
      'return live.commit === commit ? inRelease(run, live) : undefined',
      'return undefined',
    ),
  ),
  guard(
    148,
    'a commit that failed by itself is deployed again by the next timer',
    neverShown,
    mutant('deployment/automatic-rollback', "  'health-checked-before',\n"),
  ),
  guard(
    149,
    'a server that does not start is called the fault of the commit',
    before('a server that cannot be started says nothing of the commit, which is not quarantined'),
    mutant(
      'deployment/private-server',
      `throw new OperationError({ tried: "Starting PHP's own server", on: checkout.directory, reason: line });`,
      "return 'http://127.0.0.1:1';",
    ),
  ),
  guard(
    150,
    'the server goes on after the check',
    neverShown,
    mutant('deployment/private-server', '    stop.abort();\n    await ended;\n'),
  ),
  guard(
    151,
    'the server of a killed run goes on',
    before('killed while the release is asked: the next run ends the server, and nobody saw the release'),
    mutant('deployment/repair', 'await endLeftProcesses(run.host, left)', '[]'),
  ),
  guard(
    152,
    'the release is asked under another name, without its headers, or not as HTTPS',
    before('the release is asked under the name, the path and with the headers of the health check'),
    mutant('deployment/health-before', ", { name: 'Host', value: new URL(url).host }"),
    mutant('deployment/health-before', '...(rules.headers ?? [])'),
    mutant('deployment/health-before', "first.startsWith('https:')", 'false'),
    mutant('deployment/health-before', `\`\${pathname}\${search}\``, 'pathname'),
  ),
  guard(
    153,
    'a release is not asked at all, or its failure is a success',
    neverShown,
    mutant('deployment/health-before', '!run.settings.health.before', 'true'),
    mutant(
      'deployment/record/states',
      "{ from: 'reset', on: 'health-checked-before', when: unhealthy, to: 'rolling-back'",
      "{ from: 'reset', on: 'health-checked-before', when: unhealthy, to: 'reset'",
    ),
  ),
  guard(
    154,
    'nobody knows why the release failed',
    before('a fatal error of PHP is the reason, and 500'),
    mutant('deployment/health-before', 'return reason === undefined ? found : { ...found, reason };', 'return found;'),
    mutant('deployment/private-server', "'display_errors=0', "),
  ),
  guard(
    155,
    'the reason names a secret',
    before('a fatal error that names a secret of .env is told without it'),
    mutant('deployment/health-before', 'asReason(inside, error)', 'error'),
  ),
  guard(
    156,
    'the server outlives the program, or its files stay',
    before('kill -9 of the program itself ends its server too, before any other run'),
    mutant('deployment/private-server', 'kill "$server") >', 'true) >'),
    mutant('deployment/repair', '  await removeServerFiles(run);\n'),
  ),
];
