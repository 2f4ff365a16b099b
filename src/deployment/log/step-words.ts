/**
 * What a step of holdfast itself does, for people; its name in documents and settings stays as short as it is. Others
 * go by their names.
 */
export function stepWords(name: string): string {
  return words[name] ?? name.replace(/^commit of /, 'find the commit of ');
}

const words: Readonly<Record<string, string>> = {
  'unapplied changes': 'look for changes that no step applies',
  'local edits': 'look for local edits',
  differences: 'compare the two commits',
  'tracked files': 'list the tracked files',
  'size of the commit': 'measure the commit',
  folders: 'read the permissions of the folders',
  conflicts: 'look for files that git has not merged',
  'index of HEAD': 'read the files of the present commit',
  'stage files': 'write the new files aside',
  index: 'add the new files to the index of git',
  'rollback reset': 'reset to the commit before',
  sync: 'wait until all is on the disk',
};
