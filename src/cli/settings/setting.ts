/** A setting of the example that `init` writes. Where `isOff`, it and its members are written as comments. */
export interface Setting {
  readonly key: string;
  /** As YAML has it; absent of a group. */
  readonly value?: string;
  readonly comment?: string;
  readonly isOff: boolean;
  readonly members: readonly Setting[];
}

export const on = (key: string, value: string, comment?: string): Setting => single(key, value, comment, false);
export const off = (key: string, value: string, comment?: string): Setting => single(key, value, comment, true);
export const group = (key: string, comment: string, members: readonly Setting[]): Setting => ({
  key,
  comment,
  isOff: false,
  members,
});
/** A group that is written as comments; its members stand in it as settings. */
export const offGroup = (key: string, comment: string, members: readonly Setting[]): Setting => ({
  ...group(key, comment, members),
  isOff: true,
});

function single(key: string, value: string, comment: string | undefined, isOff: boolean): Setting {
  return { key, value, ...(comment !== undefined && { comment }), isOff, members: [] };
}

/** Its lines in a settings file, with those of its members. */
export function settingLines({ key, value, comment, isOff, members }: Setting, indent = ''): readonly string[] {
  const lead = isOff ? `${indent}# ` : indent;
  const line = `${lead}${key}:${value === undefined ? '' : ` ${value}`}`;
  const inner = members.flatMap((member) => settingLines(member, `${lead}  `));
  return [comment === undefined ? line : `${line.padEnd(commentColumn)} # ${comment}`, ...inner];
}

/** Where the comments begin, except those of longer lines. */
const commentColumn = 50;
