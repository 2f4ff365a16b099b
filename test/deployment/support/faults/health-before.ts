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
    'the server of a killed run goes on, or its files stay',
    before('killed while the release is asked: the next run ends the server, and nobody saw the release'),
    mutant('deployment/repair', 'await endLeftProcesses(run.host, left)', '[]'),
    mutant('deployment/repair', '  await removeServerFiles(run);\n'),
  ),
];
