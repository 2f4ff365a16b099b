import type { Pod } from '../../cluster/resources.ts';
import type { Container as ContainerSpec } from '../../cluster/specs.ts';
import type { LoadPlan } from '../../host/host.ts';
import { shareOf } from '../../host/load/shares.ts';

/** Whether the container runs holdfast's worker of a load, which is the one program of an embedded cluster that makes requests. */
export const isLoadWorker = ({ args }: Pick<ContainerSpec, 'args'>): boolean => args?.[0] === 'load-worker';

/** The container of a pod that is a worker. */
export const loadWorkerOf = ({ spec }: Pod): ContainerSpec | undefined => spec.containers.find(isLoadWorker);

/** What a worker is to do, by its arguments and its place in the Job. */
export interface LoadWorker {
  readonly index: number;
  readonly workers: number;
  readonly share: LoadPlan;
}

export function readLoadWorker(pod: Pod, { args = [] }: ContainerSpec): LoadWorker {
  const value = (name: string): string | undefined =>
    args.find((argument) => argument.startsWith(`--${name}=`))?.slice(name.length + 3);
  const number = (name: string): number => Number.parseFloat(value(name) ?? '');
  const index = Number(pod.metadata.annotations?.['batch.kubernetes.io/job-completion-index'] ?? 0);
  const rate = value('rate');
  const plan: LoadPlan = {
    url: value('url') ?? '',
    requests: number('requests'),
    concurrency: number('concurrency'),
    timeoutSeconds: number('timeout') / 1000,
    ...(rate === undefined ? {} : { rate: { perSecond: Number(rate), first: 0, every: 1 } }),
  };
  const workers = number('workers');
  return { index, workers, share: shareOf(plan, workers, index) };
}

/** The common start that the pod's downward API volume shows, epoch milliseconds. */
export function startShown({ metadata, spec }: Pod): number | undefined {
  const paths = spec.volumes?.flatMap(({ downwardAPI }) => downwardAPI?.items ?? []) ?? [];
  const names = paths.flatMap(
    ({ fieldRef }) => /^metadata\.annotations\['(.+)'\]$/.exec(fieldRef.fieldPath)?.[1] ?? [],
  );
  const [at] = names.map((name) => Date.parse(metadata.annotations?.[name] ?? '')).filter((one) => !Number.isNaN(one));
  return at;
}
