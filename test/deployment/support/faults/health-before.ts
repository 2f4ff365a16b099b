import { deploymentTest, type Fault, guard } from './fault.ts';

const before = (name: string) => deploymentTest('health-before', name);
const neverShown = before('a release that fails by itself is never shown');

/** Faults that a release meets while it is asked by itself, before the link leads visitors to it. */
export const healthBeforeFaults: readonly Fault[] = [
  guard(147, 'a release that fails by itself is shown to visitors, or the link is switched for nothing', neverShown),
  guard(148, 'a commit that failed by itself is deployed again by the next timer', neverShown),
  guard(
    149,
    'a server that does not start is called the fault of the commit',
    before('a server that cannot be started says nothing of the commit, which is not quarantined'),
  ),
  guard(150, 'the server goes on after the check', neverShown),
  guard(
    151,
    'the server of a killed run goes on',
    before('killed while the release is asked: the next run ends the server, and nobody saw the release'),
  ),
  guard(
    152,
    'the release is asked under another name, without its headers, or not as HTTPS',
    before('the release is asked under the name, the path and with the headers of the health check'),
  ),
  guard(153, 'a release is not asked at all, or its failure is a success', neverShown),
  guard(154, 'nobody knows why the release failed', before('a fatal error of PHP is the reason, and 500')),
  guard(155, 'the reason names a secret', before('a fatal error that names a secret of .env is reported without it')),
  guard(
    156,
    'the server outlives the program, or its files stay',
    before('kill -9 of the program itself ends its server too, before any other run'),
  ),
];
