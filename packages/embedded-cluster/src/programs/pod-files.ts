import type { Pod } from '../../../../src/cluster/resources.ts';
import type { Container } from '../../../../src/cluster/specs.ts';
import type { Files } from '../../../../src/host/host.ts';
import { memoryFiles } from '../../../../src/host/memory-files.ts';
import { fieldOf, shownFields } from './pod-fields.ts';

/** What the files of a container are made of. */
export interface PodFileParts {
  readonly spec: Pick<Container, 'volumeMounts'>;
  /** The pod as its kubelet knows it now. */
  readonly pod: () => Pod | undefined;
  /** Calls `work` once a kubelet would have written a file of a volume anew. */
  readonly afterRefresh: (work: () => void) => void;
  /** Keeps what is written to the termination log. */
  readonly lastWords: (text: string) => void;
}

/** core/v1, Container.terminationMessagePath: its default. */
const terminationLog = '/dev/termination-log';

/** The files of a container: fields of its pod in downward API volumes, which are written a moment after the pod has changed, and its termination log. */
export function podFiles({ spec, pod, afterRefresh, lastWords }: PodFileParts): Files {
  const files = memoryFiles();
  const there = pod();
  const fields = there === undefined ? new Map<string, string>() : shownFields(there, spec);
  const shown = new Map<string, string>();
  const coming = new Map<string, string>();
  const refresh = (path: string, field: string): void => {
    const now = pod();
    const text = (now && fieldOf(now, field)) ?? '';
    if (text === (coming.get(path) ?? '')) return;
    coming.set(path, text);
    afterRefresh(() => shown.set(path, text));
  };
  return {
    ...files,
    read: async (path) => {
      const field = fields.get(path);
      if (field === undefined) return files.read(path);
      refresh(path, field);
      return shown.get(path) ?? '';
    },
    append: async (path, options) => {
      if (path !== terminationLog) return files.append(path, options);
      return { ...(await files.append(path, options)), write: async (text) => lastWords(text) };
    },
  };
}
