// The public interface of the package: everything else is private. Its README says what each export promises.

export { typesMeeting } from './autoscaler/offering.ts';
export type { DataPlane, Exchange, Phases, RequestError } from './data-plane/data-plane.ts';
export type { Connection } from './data-plane/dial.ts';
export { type Defect, defects } from './defects.ts';
export type { RecordSet, Zone } from './dns/zone.ts';
// A cluster.
export * from './embedded-cluster.ts';
export { type DoorPolicy, policyAnnotation } from './front-doors/policy.ts';
export { longRunning } from './kubelet/pod-containers.ts';
export { type Hook, preStopHook } from './kubelet/pre-stop.ts';
// The objects of the Kubernetes API, and the verbs of a client.
export * from './kubernetes/autoscaler.ts';
export * from './kubernetes/batch.ts';
export * from './kubernetes/cluster.ts';
export * from './kubernetes/horizontal-autoscaler.ts';
export * from './kubernetes/kinds.ts';
export * from './kubernetes/metadata.ts';
export * from './kubernetes/resource-quota.ts';
export * from './kubernetes/resources.ts';
export * from './kubernetes/specs.ts';
export * from './kubernetes/stateful-set.ts';
export * from './kubernetes/volumes.ts';
export type { Listening } from './listen/listen.ts';
export { allocatableOf, type InstanceType } from './machines/instance-types.ts';
export type { Machines } from './machines/machines.ts';
export type { OwnBehaviour, OwnBehaviours } from './machines/own-behaviours.ts';
export { type Amounts, amounts, fits, quantity } from './objects/quantities.ts';
export { driverOf } from './objects/volume-drivers.ts';
export type { Clock } from './outside/clock.ts';
export { ClusterError, type ClusterFailure } from './outside/cluster-error.ts';
export type { DnsAnswer, DnsQuery, RecordType } from './outside/dns.ts';
export type { HttpRequest, HttpResponse } from './outside/http.ts';
export { type RandomStreams, randomStreams } from './outside/random.ts';
export type { ContainerProcess, ContainerProgram } from './programs/program.ts';
export { type NodeInfo, nodeInfoOf, nodeObstacle, requestsOf, withPodAdded } from './scheduling/node-info.ts';
export { type Component, type Surroundings, usualSurroundings } from './setup/surroundings.ts';
// Time, random numbers, errors, and requests and responses.
export { type VirtualClock, virtualClock } from './time/clock.ts';
export type { Delay, DelayName, Delays } from './time/delays.ts';
export { tryObjects } from './try-objects.ts';
// Manifests: the answers of an API server to them, and the nodes and images that a cluster would use for them.
export { type Applied, applyObjects, type Cause, type Written } from './world/apply-objects.ts';
export { type FoundCluster, foundWorld } from './world/found-cluster.ts';
export { storageClasses } from './world/storage-classes.ts';
export type { SavedWorld } from './world/world.ts';
export { type FieldPath, fieldPath } from './world/written-fields.ts';
