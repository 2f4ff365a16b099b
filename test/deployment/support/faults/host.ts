import { deploymentTest, type Fault, mutant, proof } from './fault.ts';

/** Faults of the machine and the process. */
export const hostFaults: readonly Fault[] = [
  {
    number: 40,
    fault: 'the disk is full',
    proofs: [
      proof(
        deploymentTest('blast-radius', 'for the commit and a rollback, nothing is touched'),
        mutant('deployment/blast-radius/space', 'if (bytes < neededBytes)', 'if (bytes < 0)'),
      ),
      proof(
        deploymentTest('blast-radius', 'for the commit and a rollback, nothing is touched'),
        mutant('deployment/blast-radius/space', 'if (files < neededFiles)', 'if (files < 0)'),
      ),
    ],
  },
  {
    number: 41,
    fault: 'the deploy is killed, or the machine loses power',
    proofs: [
      proof(
        deploymentTest('crash', 'a loss of power: files with other contents and a broken index are repaired'),
        mutant('deployment/repair/repair', '  if (left.length === 0) {', '  if (left.length >= 0) {'),
        mutant('deployment/repair/git-leftovers', "git('read-tree', commit)", "git('rev-parse', commit)"),
      ),
      proof(
        deploymentTest('first-deploy', 'a first deploy that was killed is finished by the next one'),
        mutant('deployment/repair/repair', 'if (isEmptyTree(target)) {', "if (target === '') {"),
      ),
      proof(
        deploymentTest(
          'first-deploy',
          'after a first deploy that failed the next commit is deployed, and no rollback goes to the empty tree',
        ),
        mutant('deployment/trust', 'return isEmptyTree(reset.from) ? unproved :', 'return'),
      ),
      proof(
        deploymentTest(
          'placement',
          'a run that is killed between two files is repaired, and its staged files are removed',
        ),
        mutant('deployment/repair/repair', 'removeStaged(run), '),
      ),
      proof(
        deploymentTest('crash', 'commands that a killed deploy has left running are ended first'),
        mutant('deployment/repair/repair', 'await endLeftProcesses(run.host, left);', '[] as number[];'),
      ),
      proof(
        deploymentTest(
          'killed-when-proved',
          'a deploy that was killed after its commit was verified, before its end was recorded, counts as ended',
        ),
        mutant('deployment/history', 'if (document === undefined) return verified;', ''),
        mutant('deployment/status', 'lastRun.verified === undefined && ', ''),
      ),
    ],
  },
  {
    number: 42,
    fault: 'the deploy is asked to stop',
    proofs: [
      proof(
        deploymentTest('signals', 'while the caches are rebuilt: rolled back, exit'),
        mutant('deployment/signals', '      received = name;\n'),
      ),
      proof(
        deploymentTest('signals', 'a signal during the repair'),
        mutant('deployment/repair/repair', "return state === 'started';", 'return true;'),
      ),
    ],
  },
  {
    number: 43,
    fault: 'the connection of the person who deploys is lost',
    proofs: [
      proof(
        deploymentTest('signals', 'a lost connection does not stop a deploy'),
        mutant('deployment/signals', "    if (name === 'SIGHUP') return;\n"),
      ),
    ],
  },
  {
    number: 44,
    fault: 'two deploys at once',
    proofs: [
      proof(
        deploymentTest(
          'two-at-once',
          'two at once: one deploys, the other gets exit 6, hears who deploys and why, and its lines stay together',
        ),
        mutant(
          'deployment/lock',
          'if (await files.create(path, JSON.stringify(self)))',
          'if ((await files.create(path, JSON.stringify(self))) || path)',
        ),
      ),
      proof(
        deploymentTest(
          'lock',
          'whichever process is killed at any point, two never hold the lock, and it is never stuck',
        ),
        mutant(
          'deployment/lock',
          'if (!(await files.create(path, JSON.stringify(self)))) return false;\n',
          'await files.create(path, JSON.stringify(self));\n',
        ),
      ),
    ],
  },
  {
    number: 45,
    fault: 'the lock is of another machine, of another container, or of an earlier boot',
    proofs: [
      proof(
        deploymentTest('owner', 'an owner on another machine is never known to be dead, nor one in another container'),
        mutant('deployment/owner', '  if (owner.hostName !== self.hostName) return false;\n'),
        mutant('deployment/owner', '  if (owner.firstProcess !== self.firstProcess) return false;\n'),
      ),
      proof(
        deploymentTest('owner', 'an owner of an earlier boot is dead, whatever runs now'),
        mutant('deployment/owner', '  if (owner.bootId !== self.bootId) return true;\n'),
      ),
      proof(
        deploymentTest('owner', 'an owner is dead whose process id now belongs to a process with another start'),
        mutant(
          'deployment/owner',
          '(await startTicksOf(files, owner.pid)) !== owner.startTicks',
          '(await startTicksOf(files, owner.pid)) === undefined',
        ),
      ),
      proof(
        deploymentTest('lock', 'only the owner releases a lock'),
        mutant('deployment/lock', 'if (owner?.token === self.token) await', 'await'),
      ),
    ],
  },
  {
    number: 46,
    fault: 'a child inherits the lock',
    whyNot: "The lock is a file with its owner's name in it, and no descriptor that a child could inherit.",
  },
  {
    number: 47,
    fault: 'the log becomes full, or is a symbolic link',
    proofs: [
      proof(
        deploymentTest(
          'host-faults',
          'a log on a disk that becomes full does not stop the deploy half-way, and is reported once',
        ),
        mutant(
          'deployment/deployment-log',
          '    } catch (error) {\n',
          '    } catch (error) {\n      if (path) throw error;\n',
        ),
      ),
      proof(
        deploymentTest('refusals', 'is found before anything is touched: a mistake of the settings'),
        mutant('host/appender', ' | O_NOFOLLOW'),
      ),
      proof(
        deploymentTest('secrets', 'neither a commit subject nor a command can forge a line of the log'),
        mutant('deployment/deployment-log', 'append(indented(redact(plain(text))))', 'append(redact(plain(text)))'),
      ),
    ],
  },
  {
    number: 48,
    fault: 'APP_DIR lies in another checkout',
    proofs: [
      proof(
        deploymentTest('refusals', 'is not the top of a checkout: exit 2, one sentence, nothing touched'),
        mutant('deployment/checkout', 'return topLevel === directory\n', "return topLevel !== ''\n"),
      ),
    ],
  },
  {
    number: 49,
    fault: 'the clock jumps',
    proofs: [
      proof(
        deploymentTest('host-faults', 'a clock that jumps changes no duration'),
        mutant(
          'deployment/verify',
          'const startedSeconds = run.host.clock.monotonicSeconds();',
          'const startedSeconds = run.host.clock.wallAt() / 1000;',
        ),
      ),
    ],
  },
  {
    number: 50,
    fault: 'a program is not on the path of the timer',
    proofs: [
      proof(
        deploymentTest('doctor', 'doctor names each program that is not on the path of the deploy'),
        mutant('deployment/doctor/doctor', '    programs,\n'),
      ),
    ],
  },
];
