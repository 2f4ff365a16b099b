import type { Files } from '../../host/host.ts';
import { fitted } from './hanging-indent.ts';

interface Here {
  readonly host: {
    readonly files: Pick<Files, 'stat' | 'list'>;
    readonly out: { readonly isTTY: boolean; readonly columns: number };
  };
  readonly environment: Readonly<Record<string, string | undefined>>;
}

/** What `holdfast` alone says to a person: what can be done here, by what lies in this folder. */
export async function whatNow({ host: { files, out }, environment }: Here): Promise<string> {
  const isThere = async (path: string): Promise<boolean> =>
    (await files.stat(path).catch(() => undefined)) !== undefined;
  const kubeconfig = environment.KUBECONFIG?.split(':')[0] ?? `${environment.HOME ?? ''}/.kube/config`;
  const runs = (await isThere('runs')) ? (await files.list('runs').catch(() => [])).length : 0;
  const here: readonly (readonly [string, string] | undefined)[] = [
    (await isThere('holdfast.yaml'))
      ? ['holdfast plan', 'holdfast.yaml is here: every write of a validation, and its undo']
      : undefined,
    (await isThere(kubeconfig))
      ? ['holdfast precheck', `whether a validation may begin on the cluster of ${kubeconfig}; it only reads`]
      : undefined,
    (await isThere('.git'))
      ? ['holdfast doctor', 'this folder is a git checkout: what would break a deploy of it']
      : undefined,
    runs > 0 ? ['holdfast dashboard', `${runs === 1 ? 'the run' : `all ${runs} runs`} in runs/, as pages`] : undefined,
    ['holdfast rehearse', 'a whole validation on a cluster of its own, in seconds; nothing else is touched'],
    ['holdfast rehearse deploy', 'good, broken and killed deploys on a throw-away checkout'],
    (await isThere('holdfast.yaml'))
      ? undefined
      : ['holdfast init', 'write the settings; it asks for what it finds here'],
    ['holdfast --help', 'all commands'],
  ];
  const lines = here.flatMap((one) => (one === undefined ? [] : [fitted(out, `  ${one[0].padEnd(26)}`, one[1])]));
  return `What can be done here:\n${lines.join('\n')}\n`;
}
