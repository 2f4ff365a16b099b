import { execFileSync } from 'node:child_process';

/**
 * Gives the folder this default ACL, and its mode; with tar, because `setfacl` is not on every machine. False where the
 * file system has none.
 */
export function giveDefaultAcl(folder: string, acl: string, mode = 0o755): boolean {
  const record = paxRecord(`SCHILY.acl.default=${acl}\n`);
  const archive = [
    header('x', 0o644, record.length),
    record.padEnd(512, '\0'),
    header('5', mode, 0),
    '\0'.repeat(1024),
  ];
  execFileSync('tar', ['--extract', '--acls', '--preserve-permissions', `--directory=${folder}`], {
    input: archive.join(''),
    stdio: ['pipe', 'ignore', 'ignore'],
  });
  return hasAcl(folder);
}

/** Whether more than the mode says who may do what with it. */
export function hasAcl(path: string): boolean {
  return /^\S+\+ /.test(execFileSync('ls', ['-ld', '--', path], { encoding: 'utf8' }));
}

/** Begins with its own length (pax(1)). */
function paxRecord(text: string): string {
  const length = text.length + 1;
  const whole = length + String(length + 2).length;
  return `${whole} ${text}`;
}

/** Of the folder itself, as ustar has it: the sum is made with eight spaces in its own place. */
function header(type: string, mode: number, size: number): string {
  const octal = (value: number, width: number) => `${value.toString(8).padStart(width - 1, '0')}\0`;
  const fields = ['./'.padEnd(100, '\0'), octal(mode, 8), octal(process.getuid?.() ?? 0, 8)];
  const more = [octal(process.getgid?.() ?? 0, 8), octal(size, 12), octal(0, 12)];
  const before = [...fields, ...more].join('');
  const after = `${type}${'\0'.repeat(100)}ustar\x0000`.padEnd(512 - before.length - 8, '\0');
  const sum = [...`${before}        ${after}`].reduce((all, character) => all + character.charCodeAt(0), 0);
  return `${before}${octal(sum, 7)} ${after}`;
}
