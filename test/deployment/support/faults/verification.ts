import { deploymentTest, type Fault, mutant, proof } from './fault.ts';

/** Faults of verification and rollback. */
export const verificationFaults: readonly Fault[] = [
  {
    number: 18,
    fault: 'health is anything but 200',
    proofs: [
      proof(
        deploymentTest('full', 'is not 200: rolled back'),
        mutant(
          'deployment/health',
          'if (answer.status !== 200) return unhealthy(answer, urls);',
          'if (answer.status >= 400) return unhealthy(answer, urls);',
        ),
      ),
    ],
  },
  {
    number: 19,
    fault: 'the application is slow to start, or flaps',
    proofs: [
      proof(
        deploymentTest('health', 'several good answers have to be in a row'),
        mutant('deployment/health', 'if (inARow >= rules.consecutive)', 'if (inARow >= 1)'),
      ),
    ],
  },
  {
    number: 20,
    fault: 'the site is unhealthy after the rollback too',
    proofs: [
      proof(
        deploymentTest('rollback', 'the site is still unhealthy after the rollback: exit 4'),
        mutant(
          'deployment/automatic-rollback',
          'return progress.advance(await healthOf(there, commit));',
          'return progress.state;',
        ),
      ),
      proof(
        deploymentTest('unproved-live', 'an unhealthy commit that a person asked for stays'),
        mutant('deployment/rollback-command', '{ better: verified }', '{}'),
        mutant('deployment/repair/repair-now', 'return commitTrouble({', 'return void ({'),
      ),
      proof(
        deploymentTest(
          'unproved-live',
          'a rollback to the last verified commit that ends unhealthy names no better one',
        ),
        mutant('deployment/rollback-command', ' || verified === commit', ''),
        mutant('deployment/commit-trouble', '  if (commit === trust.base) return undefined;\n'),
      ),
    ],
  },
  {
    number: 21,
    fault: 'the reset of the rollback fails',
    proofs: [
      proof(
        deploymentTest('rollback', 'a rollback of a deploy that cannot be done: exit 5, with the exact commands'),
        mutant('deployment/automatic-rollback', '  if (there === undefined) return', '  if (Math.random() > 1) return'),
      ),
      proof(
        deploymentTest('rollback', 'a rollback of a deploy that cannot be done: exit 5, with the exact commands'),
        mutant('deployment/automatic-rollback', '  await logRollbackByHand(run, commit);\n'),
      ),
      proof(
        deploymentTest('unproved-live', 'after a rollback that failed status and doctor name the live commit'),
        mutant('deployment/status', '...(doubt === null ? [] : [doubt])', '...[]'),
        mutant('deployment/repair/repair', '[...killed, ...unfinished]', '[...killed]'),
        mutant('deployment/trust', '{ ...trust, failed: [...trust.failed, run] }', 'trust'),
      ),
      proof(
        deploymentTest('unproved-live', 'doctor --repair ends with 1 where the repaired commit is unhealthy'),
        mutant('deployment/repair/repair-now', ' && !isHealthy(repaired)', ' && isHealthy(repaired)'),
      ),
    ],
  },
  {
    number: 22,
    fault: 'the caches of the rollback cannot be rebuilt',
    proofs: [
      proof(
        deploymentTest(
          'rollback',
          'a cache step that fails in the rollback is logged, manifests that would keep the framework from starting are removed, and the rollback goes on',
        ),
        mutant('deployment/after-return', '  await report(failure);\n'),
        mutant('deployment/after-return', '  if (failure !== undefined) await leaveCleared(run);\n'),
      ),
    ],
  },
  {
    number: 23,
    fault: 'the site was down before the deploy',
    proofs: [
      proof(
        deploymentTest(
          'truthful-health',
          'a site that was down before the deploy is logged, and with baseline refuse nothing is touched',
        ),
        mutant('deployment/baseline', '  if (status === 200) return true;', '  return true;'),
      ),
    ],
  },
  {
    number: 24,
    fault: 'the site cannot be reached from here',
    proofs: [
      proof(
        deploymentTest('truthful-health', 'a site that cannot be reached from here is logged before the deploy'),
        mutant('deployment/baseline', 'status === 0\n', 'status === -1\n'),
      ),
      proof(
        deploymentTest(
          'signals',
          'a health request that a signal breaks off is not told as a site that cannot be reached',
        ),
        mutant('deployment/baseline', 'if (run.interruption.aborted) {', 'if (status < 0) {'),
      ),
    ],
  },
  {
    number: 25,
    fault: 'the old code answers',
    proofs: [
      proof(
        deploymentTest(
          'truthful-health',
          'proof of the commit by a header: the old commit is a failed verification, the new one passes',
        ),
        mutant('deployment/proof', 'return isSameCommit(served, commit)', 'return served !== commit'),
      ),
    ],
  },
  {
    number: 26,
    fault: 'maintenance mode was forgotten',
    proofs: [
      proof(
        deploymentTest('truthful-health', 'maintenance mode is logged'),
        mutant('deployment/baseline', '  if (run.settings.isPhp) await logMaintenance(run);\n'),
      ),
    ],
  },
  {
    number: 27,
    fault: 'a timer deploys the bad commit every minute',
    proofs: [
      proof(
        deploymentTest('quarantine', 'a failed commit is not deployed again by a timer, until the branch moves on'),
        mutant('deployment/deploy', 'if (because === undefined || again) return false;', 'return false;'),
      ),
      proof(
        deploymentTest('quarantine', '--again deploys it once more, and a commit that then passes is free again'),
        mutant('deployment/deploy', 'because === undefined || again', 'because === undefined'),
      ),
    ],
  },
  {
    number: 28,
    fault: 'the commit to roll back to is bad itself',
    proofs: [
      proof(
        deploymentTest('trust', 'an unproved commit of a killed run is no target: the last verified one is'),
        mutant(
          'deployment/trust',
          'return isDoubtful ? (trust.base ?? previousCommit) : previousCommit;',
          'return previousCommit;',
        ),
      ),
      proof(
        deploymentTest(
          'rollback',
          'a rollback goes to the last verified commit where the previous commit was never verified, and both are logged',
        ),
        mutant(
          'deployment/automatic-rollback',
          'const commit = rollbackTarget(run.trust, previousCommit);',
          'const commit = previousCommit;',
        ),
        mutant('deployment/automatic-rollback', 'if (commit !== previousCommit) {', "if (commit === '') {"),
      ),
    ],
  },
  {
    number: 29,
    fault: 'there is nothing new',
    proofs: [
      proof(
        deploymentTest('full', '--if-changed does nothing where the branch has not moved'),
        mutant(
          'deployment/deploy',
          'if (ifChanged && newCommit === previousCommit && ',
          'if (ifChanged && newCommit === "" && ',
        ),
      ),
    ],
  },
  {
    number: 30,
    fault: 'a migration has run before the rollback',
    proofs: [
      proof(
        deploymentTest('git-faults', 'a migration is not undone, and the rollback says so'),
        mutant('deployment/automatic-rollback', '  await logLastingSteps(run);\n'),
      ),
    ],
  },
];
