/** Whether git accepts it as a branch's name: the rules of git-check-ref-format(1) for `refs/heads/<branch>`, and no leading dash. */
export function isBranchName(name: string): boolean {
  return (
    name !== '' &&
    !name.startsWith('-') &&
    !name.endsWith('.') &&
    !forbidden.test(name) &&
    name.split('/').every(isPart)
  );
}

/** A control character, a space, one of `~ ^ : ? * [ \`, two dots, or `@{`. */
const forbidden = /[\p{Cc} ~^:?*[\\]|\.\.|@\{/u;

function isPart(part: string): boolean {
  return part !== '' && !part.startsWith('.') && !part.endsWith('.lock');
}
