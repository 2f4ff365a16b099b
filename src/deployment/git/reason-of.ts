/**
 * Why a git command failed, in git's words; empty if it said nothing. Its first error is the reason: what follows comes
 * of that, and after the trouble of a remote git adds general advice.
 */
export function reasonOf(stderr: string): string {
  const [reason = ''] = stderr.split(/^fatal: Could not read from remote repository/m);
  const lines = reason.trim().split('\n');
  const line = lines.find((each) => /^(?:error|fatal): /.test(each)) ?? lines.at(-1) ?? '';
  return line.replace(/^(?:error|fatal): /, '').replace(/\.$/, '');
}
