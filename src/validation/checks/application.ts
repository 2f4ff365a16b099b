import type { Pod } from '../../cluster/resources.ts';
import { isExpected } from '../../settings/expected-status.ts';
import { labelsMatch } from '../../settings/pod-selector.ts';
import { readObstacles } from '../blocked/read-obstacles.ts';
import { probedTarget, wantedPage } from '../observe/probed-target.ts';
import { readWayIn } from '../observe/read-way-in.ts';
import { applicationSelector } from '../observe/snapshot.ts';
import { appliesApplication, serviceName, wayInOf } from '../settings.ts';
import { asExpected, type Check, type CheckedRun, notAsExpected } from './check.ts';
import { unreadyPods } from './pod-trouble.ts';

/** With `manifests: none` all objects of the application must exist already, and it must answer. */
export const application: Check = {
  name: 'application',
  mandatory: true,
  async look(run) {
    const { settings } = run;
    const { namespace, applicationKind: kind, application: name, url } = settings;
    const assertion = {
      id: 'application',
      subject: `${namespace}/${name}`,
      object: { kind, namespace, name },
      expected: `it is there and answers at ${url}`,
    };
    if (appliesApplication(settings)) return asExpected(assertion, 'phase 3 applies it');
    const missing = await missingParts(run);
    if (missing.length > 0)
      return notAsExpected(
        assertion,
        `there is no ${missing.join(', ')}`,
        'name what is there in the settings, or apply it first',
      );
    const answer = await answerOf(run);
    const dead = await deadEndpoints(run);
    if (dead.length > 0)
      return notAsExpected(
        assertion,
        `Service ${serviceName(settings)} also selects ${dead.join(', ')}, which name no port that it sends to`,
        'give its selector a label that only the pods have which serve: requests to the others fail',
      );
    if (answer === undefined) return asExpected(assertion, 'all of it is there, and it answers');
    const [obstacle] = await readObstacles(run.site.cluster, settings);
    if (obstacle !== undefined)
      return {
        ...notAsExpected(assertion, `${answer}: ${obstacle.observed}`, obstacle.advice),
        because: obstacle.because,
      };
    const unready = unreadyPods(await podsOf(run));
    const observed = unready === '' ? answer : `${answer}; ${unready}`;
    return notAsExpected(assertion, observed, 'repair it first: what does not answer cannot be validated');
  },
};

/**
 * The pods of others behind the Service that neither name its port nor have a readiness probe, where the application's
 * own name it: nothing shows that they serve.
 */
async function deadEndpoints({ site: { cluster }, settings }: CheckedRun): Promise<readonly string[]> {
  const { namespace } = settings;
  const service = await cluster.get('Service', { namespace, name: serviceName(settings) });
  if (service?.spec.selector === undefined) return [];
  const labelSelector = Object.entries(service.spec.selector)
    .map((pair) => pair.join('='))
    .join(',');
  const selected = await cluster.list('Pod', { namespace, labelSelector });
  const isOwn = ({ metadata }: Pod): boolean => labelsMatch(metadata.labels, applicationSelector(settings));
  // A Service of type ExternalName may have none.
  const targets = (service.spec.ports ?? []).map(({ port, targetPort = port }) => targetPort);
  const names = ({ spec: { containers } }: Pod): boolean =>
    containers.some(({ ports = [], readinessProbe }) => readinessProbe !== undefined || ports.some(isTarget));
  const isTarget = ({ name, containerPort }: { readonly name?: string; readonly containerPort: number }): boolean =>
    targets.includes(containerPort) || (name !== undefined && targets.includes(name));
  if (!selected.some((pod) => isOwn(pod) && names(pod))) return [];
  return selected.filter((pod) => !isOwn(pod) && !names(pod)).map(({ metadata }) => metadata.name);
}

const podsOf = ({ site: { cluster }, settings }: CheckedRun) =>
  cluster.list('Pod', { namespace: settings.namespace, labelSelector: applicationSelector(settings) });

async function missingParts({ site: { cluster }, settings }: CheckedRun): Promise<readonly string[]> {
  const { namespace, application: name, applicationKind: kind, disruptionBudget } = settings;
  const workload = await cluster.get(kind, { namespace, name });
  const [service, way] = [serviceName(settings), wayInOf(settings)];
  const parts = {
    [`${kind} ${name}`]: workload,
    [`Service ${service}`]: await cluster.get('Service', { namespace, name: service }),
    ...(way !== undefined && { [`${way.kind} ${way.name}`]: await readWayIn(cluster, settings) }),
    ...(disruptionBudget !== null && {
      [`PodDisruptionBudget ${disruptionBudget}`]: await cluster.get('PodDisruptionBudget', {
        namespace,
        name: disruptionBudget,
      }),
    }),
  };
  const labels = workload?.spec.template.metadata?.labels;
  const selected = workload === undefined || labelsMatch(labels, applicationSelector(settings));
  return [
    ...Object.entries(parts).flatMap(([part, found]) => (found === undefined ? [part] : [])),
    ...(selected ? [] : [`label ${applicationSelector(settings)} on its pods`]),
  ];
}

async function answerOf({ site, settings }: CheckedRun): Promise<string | undefined> {
  const { monitor } = settings;
  const target = await probedTarget(site.host, settings);
  const { status, error, bodyMatched } = await site.host.probe(target, 'new', monitor.timeout);
  if (!isExpected(status, monitor.expect))
    return `status ${String(status).padStart(3, '0')}${error === undefined ? '' : ` (${error})`}`;
  return bodyMatched === false ? `status ${status}, and the page does not ${wantedPage(monitor)}` : undefined;
}
