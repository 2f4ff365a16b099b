import { deploymentTest, type Fault, guard } from './fault.ts';

const shared = (name: string) => deploymentTest('database', name);
const postgresql = (name: string) => deploymentTest('postgresql', name);
const dumpedAndRestored = postgresql('PostgreSQL: dumped before the migrations and restored with the password of .env');

/** Faults of `backup.database`: of a dump that is not what it says, and of a restore. */
export const databaseFaults: readonly Fault[] = [
  guard(301, 'there is no dump, or it is of the database after its migrations', dumpedAndRestored),
  guard(
    302,
    'PostgreSQL: a restore adds to what is there, or cannot log in, or leaves the password',
    dumpedAndRestored,
  ),
  guard(
    303,
    'a restore that fails leaves half of it, or the services stopped, or says nothing',
    postgresql('PostgreSQL: a restore that cannot end changes nothing, and the services are started again'),
  ),
  guard(
    304,
    'MariaDB: the dump cannot log in, is not of this server, or shows the password',
    shared('MariaDB: dumped and restored with the password of .env'),
  ),
  guard(
    305,
    'a dump that failed in the middle is taken for one, or stays',
    shared('MariaDB: a dump that fails in the middle ends the deploy before anything has changed, and leaves nothing'),
  ),
  guard(
    306,
    'SQLite: the dump is not of the database, is readable by others, or is not brought back',
    shared('SQLite: the dump is made before anything changes, is its owner’s alone, and restore brings it back'),
  ),
  guard(
    307,
    'an empty SQLite database is made where there is none, and called a backup',
    shared('a SQLite database that is not there ends the deploy, and no empty one is made in its place'),
  ),
  guard(
    308,
    'dumps and archives fill the disk, or those of another site go',
    shared('the newest five dumps and archives stay, and those of a site with a longer name'),
  ),
  guard(
    309,
    'a dump that was changed, or of another database, is restored',
    shared('a dump that was changed, and one of another kind of database, are refused'),
  ),
  guard(
    320,
    'a restore stops the services though the database cannot be reached, or leaves a folder of root’s',
    shared('a restore of a database that does not answer is refused before a service is stopped'),
  ),
  guard(
    321,
    'a deploy migrates a database that is being restored',
    shared('a database is restored under the lock of the deploys, and not while one runs'),
  ),
];
