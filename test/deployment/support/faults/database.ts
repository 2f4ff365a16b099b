import { deploymentTest, type Fault, guard, mutant } from './fault.ts';

const shared = (name: string) => deploymentTest('database', name);
const postgresql = (name: string) => deploymentTest('postgresql', name);
const dumpedAndRestored = postgresql('PostgreSQL: dumped before the migrations and restored with the password of .env');

/** Faults of `backup.database`: of a dump that is not what it says, and of a restore. */
export const databaseFaults: readonly Fault[] = [
  guard(
    301,
    'there is no dump, or it is of the database after its migrations',
    dumpedAndRestored,
    mutant('deployment/deploy', '  if (dir !== undefined && database) await dumpDatabase(run, dir);\n'),
    mutant('deployment/backup/dump-database', "'--format=custom', "),
    mutant('deployment/backup/dump-database', 'umask: 0o077, '),
  ),
  guard(
    302,
    'PostgreSQL: a restore adds to what is there, or cannot log in, or leaves the password',
    dumpedAndRestored,
    mutant('deployment/backup/restore-database', "        '--clean',\n        '--if-exists',\n"),
    mutant('deployment/backup/database', "password.replaceAll(/[\\\\:]/g, '\\\\$&')", 'password'),
    mutant(
      'deployment/backup/with-credentials',
      '{ PGPASSFILE: path, ...serverVariables(database) }',
      '{ PGPASSFILE: path }',
    ),
    mutant('deployment/backup/with-credentials', '  } finally {\n    await files.remove(path);\n', '  } finally {\n'),
    mutant(
      'deployment/backup/with-credentials',
      'files.create(path, text, { mode: 0o600 })',
      'files.create(path, text, { mode: 0o644 })',
    ),
  ),
  guard(
    303,
    'a restore that fails leaves half of it, or the services stopped, or says nothing',
    postgresql('PostgreSQL: a restore that cannot end changes nothing, and the services are started again'),
    mutant('deployment/backup/restore-database', "        '--single-transaction',\n"),
    mutant(
      'deployment/backup/restore-database',
      'for (const command of start) if',
      'for (const command of start.slice(99)) if',
    ),
    mutant(
      'deployment/backup/restore-database',
      'async () => demand(load, await run(load, env))',
      'async () => void (await run(load, env))',
    ),
  ),
  guard(
    304,
    'MariaDB: the dump cannot log in, is not of this server, or shows the password',
    shared('MariaDB: dumped and restored with the password of .env'),
    mutant(
      'deployment/backup/database',
      "const where = socket === '' ? { host, port } : { socket };",
      'const where = { host, port };',
    ),
    mutant('deployment/backup/database', `.replaceAll('\\\\', '\\\\\\\\').replaceAll('"', '\\\\"')`),
    mutant('deployment/backup/dump-database', '[mysqldump, ...options, ...mysqlFlags,', '[mysqldump, ...mysqlFlags,'),
    mutant('deployment/backup/with-credentials', '  } finally {\n    await files.remove(path);\n', '  } finally {\n'),
    mutant('deployment/backup/restore-database', `'--execute', \`source \${path}\``, "'--execute', 'select 1'"),
  ),
  guard(
    305,
    'a dump that failed in the middle is taken for one, or stays',
    shared('MariaDB: a dump that fails in the middle ends the deploy before anything has changed, and leaves nothing'),
    mutant('deployment/backup/dump-database', '  if (exitCode === 0) return;', '  if (exitCode < 99) return;'),
    mutant('deployment/backup/dump-database', `    await run.host.files.remove(\`\${dump}.part\`);\n`),
  ),
  guard(
    306,
    'SQLite: the dump is not of the database, is readable by others, or is not brought back',
    shared('SQLite: the dump is made before anything changes, is its owner’s alone, and restore brings it back'),
    mutant('deployment/backup/dump-database', 'umask: 0o077, '),
    mutant('deployment/backup/restore-database', "`.restore '${path.replaceAll", "`.backup '${path.replaceAll"),
    mutant(
      'deployment/backup/restore-database',
      '  if (!really) return planWith(loginWith(database, credentialsIn(folder))[1]).plan;\n',
    ),
  ),
  guard(
    307,
    'an empty SQLite database is made where there is none, and called a backup',
    shared('a SQLite database that is not there ends the deploy, and no empty one is made in its place'),
    mutant('deployment/backup/dump-database', '  await demandFile(run, database);\n'),
  ),
  guard(
    308,
    'dumps and archives fill the disk, or those of another site go',
    shared('the newest five dumps and archives stay, and those of a site with a longer name'),
    mutant('deployment/backup/backup', ' && /^\\d{8}T\\d{6}Z/.test(name.slice(begin.length))'),
    mutant('deployment/backup/dump-database', '  await prune(run, folder, suffixes[database.kind]);\n'),
    mutant('deployment/backup/backup', '  await prune(run, folder, suffix);\n'),
  ),
  guard(
    309,
    'a dump that was changed, or of another database, is restored',
    shared('a dump that was changed, and one of another kind of database, are refused'),
    mutant('deployment/backup/restore-database', '  await verifySum(host, run, path);\n'),
    mutant(
      'deployment/backup/restore-database',
      '  if (!dump.endsWith(suffixes[database.kind]))',
      "  if (dump === '')",
    ),
  ),
  guard(
    320,
    'a restore stops the services though the database cannot be reached, or leaves a folder of root’s',
    shared('a restore of a database that does not answer is refused before a service is stopped'),
    mutant(
      'deployment/backup/restore-database',
      '      await demandAnswer(run, askCommand(database, options, mysql), env, dump);\n',
    ),
    mutant(
      'deployment/backup/with-credentials',
      'isThere ? credentialsIn(folder) : ',
      '(await files.makeFolder(folder), isThere || folder !== "") ? credentialsIn(folder) : ',
    ),
  ),
  guard(
    321,
    'a deploy migrates a database that is being restored',
    shared('a database is restored under the lock of the deploys, and not while one runs'),
    mutant(
      'deployment/backup/restore-database',
      'await lockCheckout(host, directory)',
      'await lockCheckout(host, "/")',
    ),
  ),
];
