import type { LoadPlan } from '../../host/host.ts';
import { wholeLoad } from '../../host/load/whole-load.ts';
import { workerOf } from '../../settings/load-settings.ts';
import { labelsOf } from '../../settings/pod-selector.ts';
import type { PlannedAction } from '../actions/index.ts';
import { applicationSelector } from '../observe/snapshot.ts';
import type { Need } from '../permissions/needs.ts';
import { hasKarpenter, type Settings } from '../settings.ts';

type LoadJob = Extract<PlannedAction, { action: 'load-by-job' }>['target'];

/** The load of the settings: from this machine, or from the pods of a Job. */
export function plannedLoad(settings: Settings): PlannedAction {
  const { workers } = settings.load;
  const plan = planOf(settings);
  if (workers === undefined) return { action: 'send-load', target: plan };
  return { action: 'load-by-job', target: jobOf(settings, plan, workers) };
}

function planOf({ url, load: { requests, concurrency, rate, generator }, monitor: { timeout } }: Settings): LoadPlan {
  return wholeLoad({ url, requests, concurrency, timeoutSeconds: timeout, rate, generator });
}

function jobOf(settings: Settings, plan: LoadPlan, workers: number): LoadJob {
  const { namespace, ingressController, load } = settings;
  const { startWithin, nodeSelector, ...pod } = workerOf(load);
  const selected = [
    { namespace, selector: applicationSelector(settings) },
    { namespace: ingressController.namespace, selector: ingressController.selector },
  ];
  const labels = nodeSelector === undefined ? undefined : labelsOf(nodeSelector);
  return {
    namespace,
    plan,
    workers,
    pod: {
      ...pod,
      ...(labels === undefined ? {} : { nodeSelector: labels }),
      avoidsKarpenter: hasKarpenter(settings),
      avoided: selected.map((one) => ({ namespace: one.namespace, labels: labelsOf(one.selector) ?? {} })),
    },
    startWithinSeconds: startWithin,
  };
}

/** What the Job of `load.workers` needs; nothing without workers. Pods are listed and watched in every run. */
export function loadJobNeeds({ namespace, load: { workers } }: Settings): readonly Need[] {
  if (workers === undefined) return [];
  return [
    { group: 'batch', resource: 'jobs', verbs: ['get', 'delete'], namespace, undoes: true },
    { group: 'batch', resource: 'jobs', verbs: ['create'], namespace },
    // The annotation of the common start.
    { group: '', resource: 'pods', verbs: ['patch'], namespace },
    { group: '', resource: 'pods/log', verbs: ['get'], namespace },
  ];
}
