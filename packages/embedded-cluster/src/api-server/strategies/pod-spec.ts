import { isJson, type Json } from '../../objects/json.ts';
import { defaultGraceSeconds } from '../../objects/pods.ts';
import { isUnset } from '../validation/formats.ts';
import { tagOf } from './image-names.ts';
import { at, defaultsOf, mapped, withDefaults, withMember } from './strategy.ts';
import { completeVolume } from './volumes.ts';

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
  const contained = ['containers', 'initContainers', 'ephemeralContainers'].reduce(
    (object, key) => withMember(object, key, containers),
    whole,
  );
  const volumes = (list: unknown) => mapped(list as readonly Json[], completeVolume);
  return withBothAccountNames(withMember(contained, 'volumes', volumes));
}

/**
 * What a pod has and a template not: requests that equal the limits, and ports of the node with `hostNetwork`
 * (SetDefaults_Pod).
 */
export function completeOwnSpec(spec: Json): Json {
  const complete = (container: Json) => {
    const whole = withMember(container, 'resources', completeResources);
    return spec.hostNetwork === true ? withMember(whole, 'ports', withHostPorts) : whole;
  };
  const containers = (list: unknown) => mapped(list as readonly Json[], complete);
  return withMember(withMember(spec, 'containers', containers), 'initContainers', containers);
}

function withHostPorts(ports: unknown): unknown {
  return mapped(ports as readonly Json[], (port) =>
    port.containerPort === undefined ? port : withDefaults(port, { hostPort: port.containerPort }),
  );
}

/** `serviceAccount` is the older name of `serviceAccountName` (kubernetes, pkg/apis/core/v1/conversion.go). */
function withBothAccountNames(spec: Json): Json {
  const name = isUnset(spec.serviceAccountName) ? spec.serviceAccount : spec.serviceAccountName;
  if (name === undefined || (spec.serviceAccountName === name && spec.serviceAccount === name)) return spec;
  return { ...spec, serviceAccountName: name, serviceAccount: name };
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
  const handled = ['lifecycle.postStart', 'lifecycle.preStop'].reduce(
    (object, path) => at(object, `${path}.httpGet`, defaultsOf(getDefaults)),
    probed,
  );
  const ports = (list: unknown) => mapped(list as readonly Json[], (port) => withDefaults(port, { protocol: 'TCP' }));
  const served = withMember(handled, 'ports', ports);
  const divided = at(served, 'env.*.valueFrom.resourceFieldRef', defaultsOf({ divisor: '0' }));
  return at(divided, 'env.*.valueFrom.fieldRef', defaultsOf({ apiVersion: 'v1' }));
}

const getDefaults = { path: '/', scheme: 'HTTP' };

function pullPolicy(image: string): 'Always' | 'IfNotPresent' {
  return tagOf(image) === 'latest' ? 'Always' : 'IfNotPresent';
}

function completeProbe(probe: unknown): unknown {
  if (!isJson(probe)) return probe;
  const whole = withDefaults(probe, { timeoutSeconds: 1, periodSeconds: 10, successThreshold: 1, failureThreshold: 3 });
  const got = withMember(whole, 'httpGet', defaultsOf(getDefaults));
  return withMember(got, 'grpc', defaultsOf({ service: '' }));
}

/** A resource with a limit and no request gets a request that equals the limit. */
function completeResources(resources: unknown): unknown {
  if (!isJson(resources) || !isJson(resources.limits)) return resources;
  const limits = resources.limits;
  return withMember(withDefaults(resources, { requests: {} }), 'requests', (requests) =>
    isJson(requests) ? withDefaults(requests, limits) : requests,
  );
}
