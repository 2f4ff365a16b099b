import * as z from 'zod';
import { UsageError } from '../../host/errors.ts';
import { applicationsOf } from '../../validation/applications.ts';
import { type AuditResult, audit as auditOf } from '../../validation/audit/audit.ts';
import type { Audited } from '../../validation/audit/audited.ts';
import { findingsOfAll } from '../../validation/audit/findings-of-all.ts';
import { manifestsAudited } from '../../validation/audit/manifests-audited.ts';
import { readAudited } from '../../validation/audit/read-audited.ts';
import type { Settings } from '../../validation/settings.ts';
import { type ClusterFlags, clusterFlags } from '../cluster/cluster-flags.ts';
import { openCluster } from '../cluster/open-cluster.ts';
import type { Perform } from '../command/command.ts';
import type { Context } from '../command/context.ts';
import { exitCodes } from '../command/exit-codes.ts';
import { findingsText } from '../command/findings-text.ts';
import { readAll } from '../command/mistakes.ts';
import { pageOf } from '../command/page.ts';
import { readFlags } from '../command/read-flags.ts';
import { readManifests } from '../manifests/read-manifests.ts';
import { readValidationSettings } from '../settings/run-settings.ts';

const schema = z.strictObject({ ...clusterFlags, file: z.array(z.string()).default([]) });

/**
 * `audit`: the requirements for real zero downtime (4.2), on the live cluster or on manifests. 1 if one is not met, 4
 * if the cluster does not show whether one of them is.
 */
export const audit: Perform = async (context, { options }) => {
  const { file, ...where } = readFlags(schema, options);
  const audited = file.length > 0 ? await ofFiles(context, file) : await ofCluster(context, where);
  const results = audited.map(auditOf);
  const findings = findingsOfAll(audited, results);
  const exitCode = exitCodeOf(results, file.length > 0);
  const { out } = context.host;
  if (context.flags.json) out.write(`${JSON.stringify({ schemaVersion: 1, findings, exitCode })}\n`);
  else out.write(findingsText(findings, pageOf(context)));
  return exitCode;
};

async function ofFiles(context: Context, paths: readonly string[]): Promise<readonly Audited[]> {
  const reading = [readValidationSettings(context, {}), readManifests(context.host.files, paths)] as const;
  const [settings, manifests] = await readAll(reading);
  const audited = manifestsAudited(manifests, settings);
  if (audited.length === 0) throw new UsageError([`there is no Deployment of an application in ${paths.join(', ')}.`]);
  return audited;
}

async function ofCluster(context: Context, where: ClusterFlags): Promise<readonly Audited[]> {
  const { site, settings } = await openCluster(context, where);
  const all = applicationsOf(settings);
  const found = await Promise.all(all.map((one) => readAudited(site.cluster, one)));
  const missing = all.filter((_, index) => found[index] === undefined);
  if (missing.length > 0) throw new UsageError(missing.map((one) => notThere(one, all.indexOf(one))));
  return found.filter((one) => one !== undefined);
}

function notThere({ applicationKind, namespace, application }: Settings, index: number): string {
  const key = index === 0 ? 'validation' : `validation.applications.${index - 1}`;
  return `there is no ${applicationKind} ${namespace}/${application}: set ${key}.application to the name of yours.`;
}

/**
 * Manifests need not include the ingress controller, so rules that could not be checked in them are no reason for exit
 * code 4.
 */
function exitCodeOf(results: readonly AuditResult[], isFiles: boolean): number {
  const missed = results.some(({ findings }) => findings.some(({ severity }) => severity === 'error'));
  if (missed) return exitCodes.failed;
  return !isFiles && results.some(({ notAudited }) => notAudited.length > 0) ? exitCodes.inconclusive : exitCodes.done;
}
