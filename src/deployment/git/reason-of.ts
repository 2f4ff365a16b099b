/**
 * Why a command to a remote failed, in git's words; empty if it said nothing. After its reason git adds general advice.
 */
export function reasonOf(stderr: string): string {
  const [reason = ''] = stderr.split(/^fatal: Could not read from remote repository/m);
  const line = reason.trim().split('\n').at(-1) ?? '';
  return line.replace(/^fatal: /, '').replace(/\.$/, '');
}
