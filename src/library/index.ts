/** What `import { … } from 'holdfast'` gives (docs/library.md). */

export type { DeployDocument } from '../deployment/record/document.ts';
export { UsageError } from '../host/errors.ts';
export type { RunDocument } from '../report/json.ts';
export { type AnalysisDocument, type AnalyzeOptions, analyze } from './analyze.ts';
export { type DeployOptions, deploy } from './deploy.ts';
export { type Monitoring, type MonitorOptions, type MonitorSample, monitor } from './monitor.ts';
export type { OnProgress, Progress } from './progress.ts';
export { type RehearseOptions, rehearse } from './rehearse.ts';
