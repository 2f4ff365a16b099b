export type {
  CronJob,
  CronJobStatus,
  Job,
  JobSpec,
  JobStatus,
  ObjectReference,
  PodFailureRule,
} from '@holdfast/embedded-cluster';
