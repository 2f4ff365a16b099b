import { spawnSync } from 'node:child_process';
import { existsSync, rmSync, writeFileSync } from 'node:fs';
import { userInfo } from 'node:os';

/** The real programs and files that tests use, and the Debian packages with each. */
const parts = {
  nginx: 'nginx-light',
  curl: 'curl',
  mawk: 'mawk',
  git: 'git',
  dig: 'bind9-dnsutils',
  '/usr/sbin/named': 'bind9',
  tinyproxy: 'tinyproxy-bin',
  sshd: 'openssh-server',
  msmtp: 'msmtp',
  kubectl: 'kubernetes-client',
  openssl: 'openssl',
  promtool: 'prometheus',
  ip: 'iproute2',
  tmux: 'tmux',
  zsh: 'zsh',
  fish: 'fish',
  mandoc: 'mandoc',
  sqlite3: 'sqlite3',
  composer: 'composer',
  '/usr/sbin/mariadbd': 'mariadb-server mariadb-client',
  '/var/lib/dpkg/info/php-mysql.list': 'php-mysql',
  psql: 'postgresql',
  '/usr/share/php/Symfony/Bundle/FrameworkBundle/autoload.php': 'php-symfony-framework-bundle',
  '/usr/share/php/Symfony/Component/Messenger/autoload.php': 'php-symfony-messenger',
  'ssh-keygen': 'openssh-client',
  'ansible-playbook': 'ansible-core',
  chromium: 'chromium',
  php: 'php-fpm php-cli php-xml php-mbstring php-sqlite3 php-curl',
  apache2: 'apache2 libapache2-mod-php',
  '/usr/share/php/Illuminate/autoload.php': 'php-laravel-framework',
} as const;

/**
 * Installs what is missing when this is root on a machine with apt; elsewhere says what is missing, and the tests that
 * need it skip visibly. Nothing is started: a policy keeps packages from running their programs. With words: only what
 * these name, in which the texts of some tests are searched.
 */
export function installParts(words?: ReadonlySet<string>): void {
  const isNamed = (program: string) => words === undefined || [...words].some((word) => isNameOf(word, program));
  const missing = Object.entries(parts).filter(([program]) => isNamed(program) && !isThere(program));
  if (missing.length === 0) return;
  const names = missing.map(([program]) => program).join(', ');
  if (userInfo().uid !== 0 || !isThere('apt-get')) {
    console.error(`Not on this machine, so the tests that need them are skipped: ${names}`);
    return;
  }
  console.error(`Installing for the tests: ${names}`);
  withoutStarting(() => {
    apt('update');
    apt('install', '-y', '--no-install-recommends', ...missing.flatMap(([, names]) => names.split(' ')));
  });
}

/** `named` and `../share/php/Illuminate/autoload.php` are names of what is at the end of these paths. */
const isNameOf = (word: string, program: string): boolean =>
  word === program || program.endsWith(`/${word.replace(/^(\.\.\/)+/, '')}`);

const isThere = (part: string): boolean =>
  part.startsWith('/') ? existsSync(part) : spawnSync('sh', ['-c', `command -v ${part}`]).status === 0;

function withoutStarting(install: () => void): void {
  const policy = '/usr/sbin/policy-rc.d';
  const ours = !existsSync(policy);
  if (ours) writeFileSync(policy, '#!/bin/sh\nexit 101\n', { mode: 0o755 });
  try {
    install();
  } finally {
    if (ours) rmSync(policy, { force: true });
  }
}

function apt(...words: readonly string[]): void {
  const env = { ...process.env, DEBIAN_FRONTEND: 'noninteractive' };
  // Waits for another installation, such as the daily one.
  const { status, stderr } = spawnSync('apt-get', ['-q', '-o', 'DPkg::Lock::Timeout=120', ...words], {
    env,
    encoding: 'utf8',
    timeout: 300_000,
  });
  if (status !== 0) console.error(`apt-get ${words[0]} ended with ${status}: ${stderr.slice(-500)}`);
}
