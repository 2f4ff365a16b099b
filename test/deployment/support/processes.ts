import { userInfo } from 'node:os';
import { nodeFiles } from '../../../src/host/files.ts';
import type { Files } from '../../../src/host/host.ts';

/** A process as proc(5) shows it; one of our own user where nothing else is said. */
export interface FakeProcess {
  readonly title: string;
  readonly name?: string;
  readonly parent?: number;
  readonly uids?: readonly [real: number, effective: number, saved: number, ofFiles: number];
}

/**
 * The real files, and these processes, whose ids count from 1. Who asks for the title of one without gets nothing but a
 * long wait.
 */
export function withProcesses(processes: readonly (string | FakeProcess)[]): Files & { readonly asked: string[] } {
  const files = nodeFiles();
  const all = processes.map((process) => (typeof process === 'string' ? { title: process } : process));
  const asked: string[] = [];
  const { uid } = userInfo();
  const statusOf = ({ name = 'server', parent = 0, uids = [uid, uid, uid, uid] }: FakeProcess): string =>
    `Name:\t${name}\nState:\tS (sleeping)\nPPid:\t${parent}\nUid:\t${uids.join('\t')}\n`;
  return {
    ...files,
    asked,
    list: async (path) => (path === '/proc' ? all.map((_, index) => String(index + 1)) : files.list(path)),
    readUntrusted: async (path, limits) => {
      const [, pid, file] = /^\/proc\/(\d+)\/(cmdline|status)$/.exec(path) ?? [];
      const process = all[Number(pid) - 1];
      if (pid === undefined) return files.readUntrusted(path, limits);
      if (process === undefined) return undefined;
      if (file === 'cmdline') asked.push(pid);
      return { text: file === 'cmdline' ? process.title : statusOf(process) };
    },
  };
}
