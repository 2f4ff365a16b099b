export type { ControllerRevision, StatefulSet } from '@holdfast/embedded-cluster';
