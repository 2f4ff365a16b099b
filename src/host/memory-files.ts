import { OperationError } from './errors.ts';
import type { Appender, Files } from './host.ts';

/**
 * Files that are gone with the process, for a run that nobody reads later. What a run does not need is an
 * `OperationError`.
 */
export function memoryFiles(): Files {
  const texts = new Map<string, string>();
  const refused = (tried: string) => (path: string) =>
    Promise.reject(new OperationError({ tried, on: path, reason: 'files in memory cannot do that' }));
  const replace = async (path: string, text: string): Promise<void> => void texts.set(path, text);
  return {
    read: async (path) => texts.get(path),
    readUntrusted: async (path, { mostBytes }) => {
      const text = texts.get(path);
      if (text === undefined) return undefined;
      return text.length <= mostBytes ? { text } : { refused: `it is longer than ${mostBytes} bytes` };
    },
    async *chunks(path, fromByte = 0) {
      yield Buffer.from(texts.get(path) ?? '').subarray(fromByte);
    },
    open: async (path) => ({
      read: async (fromByte, toByte) => Buffer.from(texts.get(path) ?? '').subarray(fromByte, toByte),
      close: async () => undefined,
    }),
    append: async (path) => appenderTo(texts, path),
    replace,
    replaceBytes: refused('writing bytes to'),
    create: async (path, text) => {
      if (texts.has(path)) return false;
      await replace(path, text);
      return true;
    },
    makeFolder: async () => undefined,
    list: async () => [],
    stat: async (path) => {
      const text = texts.get(path);
      const owned = { uid: 0, gid: 0, mode: 0o600, modifiedAt: 0 };
      return text === undefined ? undefined : { kind: 'file', ...owned, sizeBytes: Buffer.byteLength(text) };
    },
    realPath: async (path) => path,
    freeSpace: async () => ({ bytes: Number.POSITIVE_INFINITY, files: Number.POSITIVE_INFINITY }),
    link: refused('linking'),
    rename: refused('renaming'),
    place: refused('placing'),
    setModifiedAt: refused('changing the time of'),
    setMode: refused('changing the mode of'),
    truncate: refused('truncating'),
    remove: async (path) => void texts.delete(path),
  };
}

function appenderTo(texts: Map<string, string>, path: string): Appender {
  const parts = [texts.get(path) ?? ''];
  const put = async (): Promise<void> => void texts.set(path, parts.join(''));
  return {
    write: async (text) => {
      parts.push(text);
      await put();
    },
    sync: put,
    close: put,
  };
}
