import { isJson, type Json } from '../../objects/json.ts';
import { defaultGraceSeconds } from '../../objects/pods.ts';
import { mapped, withDefaults, withMember } from './strategy.ts';

/** Fills in the defaults of a pod's spec, in a pod or a template (kubernetes, pkg/apis/core/v1/defaults.go). */
export function completePodSpec(spec: Json): Json {
  const whole = withDefaults(spec, {
    restartPolicy: 'Always',
    terminationGracePeriodSeconds: defaultGraceSeconds,
    dnsPolicy: 'ClusterFirst',
    securityContext: {},
    schedulerName: 'default-scheduler',
  });
  const containers = (list: unknown) => mapped(list as readonly Json[], completeContainer);
  return withBothAccountNames(withMember(withMember(whole, 'containers', containers), 'initContainers', containers));
}

/** `serviceAccount` is the older name of `serviceAccountName` (kubernetes, pkg/apis/core/v1/conversion.go). */
function withBothAccountNames(spec: Json): Json {
  const name = spec.serviceAccountName ?? spec.serviceAccount;
  return name === undefined ? spec : withDefaults(spec, { serviceAccountName: name, serviceAccount: name });
}

/** Fills in the defaults of a workload's `spec.template`. */
export function completeTemplate(template: unknown): unknown {
  if (!isJson(template)) return template;
  return withMember(template, 'spec', (spec) => (isJson(spec) ? completePodSpec(spec) : spec));
}

function completeContainer(container: Json): Json {
  const whole = withDefaults(container, {
    imagePullPolicy: pullPolicy(String(container.image ?? '')),
    resources: {},
    terminationMessagePath: '/dev/termination-log',
    terminationMessagePolicy: 'File',
  });
  const probed = ['readinessProbe', 'livenessProbe', 'startupProbe'].reduce(
    (object, probe) => withMember(object, probe, completeProbe),
    whole,
  );
  const ports = (list: unknown) => mapped(list as readonly Json[], (port) => withDefaults(port, { protocol: 'TCP' }));
  return withMember(withMember(probed, 'ports', ports), 'resources', completeResources);
}

function pullPolicy(image: string): 'Always' | 'IfNotPresent' {
  const [, tag] = /:([^/:@]+)(@|$)/.exec(image) ?? [];
  const isLatest = tag === undefined ? !image.includes('@') : tag === 'latest';
  return isLatest && image.trim() === image ? 'Always' : 'IfNotPresent';
}

function completeProbe(probe: unknown): unknown {
  if (!isJson(probe)) return probe;
  const whole = withDefaults(probe, { timeoutSeconds: 1, periodSeconds: 10, successThreshold: 1, failureThreshold: 3 });
  return withMember(whole, 'httpGet', (get) => (isJson(get) ? withDefaults(get, { path: '/', scheme: 'HTTP' }) : get));
}

/** A resource with a limit and no request gets a request that equals the limit. */
function completeResources(resources: unknown): unknown {
  if (!isJson(resources) || !isJson(resources.limits)) return resources;
  const limits = resources.limits;
  return withMember(withDefaults(resources, { requests: {} }), 'requests', (requests) =>
    isJson(requests) ? withDefaults(requests, limits) : requests,
  );
}
