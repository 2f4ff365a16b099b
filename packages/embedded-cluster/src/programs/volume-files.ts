import type { Pod } from '../kubernetes/resources.ts';
import type { Container } from '../kubernetes/specs.ts';
import { fieldOf, shownFields } from './pod-fields.ts';

export interface VolumeFileParts {
  readonly spec: Pick<Container, 'volumeMounts'>;
  /** The pod as its kubelet knows it now. */
  readonly pod: () => Pod | undefined;
  /** Calls `work` once a kubelet would have written a file of a volume again. */
  readonly afterRefresh: (work: () => void) => void;
}

/** The files of a container's downward API volumes: fields of its pod, written a moment after the pod has changed. */
export function volumeFiles({ spec, pod, afterRefresh }: VolumeFileParts): (path: string) => string | undefined {
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
  return (path) => {
    const field = fields.get(path);
    if (field === undefined) return undefined;
    refresh(path, field);
    return shown.get(path) ?? '';
  };
}
