export type { ResourceQuota } from '@holdfast/embedded-cluster';
