import { Document, isScalar, visit } from 'yaml';
import * as z from 'zod';
import { missingPermissions, permissionText } from '../../validation/permissions/missing-permissions.ts';
import {
  cloudPermissions,
  type Permission,
  type PlannedRun,
  permissions,
  usefulPermissions,
} from '../../validation/permissions/permissions.ts';
import { type Role, rolesOf } from '../../validation/permissions/roles.ts';
import { clusterFlags, runFlags } from '../cluster/cluster-flags.ts';
import { openCluster } from '../cluster/open-cluster.ts';
import { readRunFlags } from '../cluster/read-run-flags.ts';
import type { Perform } from '../command/command.ts';
import type { Context } from '../command/context.ts';
import { exitCodes } from '../command/exit-codes.ts';
import { paint } from '../command/text.ts';
import { chosenScenarios, readValidationSettings, scenarioMistakes } from '../settings/run-settings.ts';

const schema = z.strictObject({
  ...clusterFlags,
  ...runFlags,
  cleanup: z.boolean().default(false),
  check: z.boolean().default(false),
});
type Flags = z.output<typeof schema>;

/** `rbac`: the least roles for the chosen scenarios. With `--check`: whether the caller has them, 1 when something is missing. */
export const rbac: Perform = async (context, { options }) => {
  const flags = await readRunFlags(schema, options, {
    alsoWrong: (typed) => scenarioMistakes(typed.scenario ?? []),
    files: () => readValidationSettings(context, {}),
  });
  return flags.check ? check(context, flags) : print(context, flags);
};

async function print(context: Context, flags: Flags): Promise<number> {
  const { namespace } = flags;
  const settings = await readValidationSettings(context, {
    ...over(flags),
    ...(namespace === undefined ? {} : { namespace }),
  });
  const run = plannedRun(flags, settings);
  const roles = rolesOf([...permissions(run), ...usefulPermissions]);
  const cloud = cloudPermissions(run.scenarios);
  const { out } = context.host;
  if (context.flags.json) out.write(`${JSON.stringify({ schemaVersion: 1, roles, cloud })}\n`);
  else out.write([heading(run, cloud), ...roles.map(yamlOf)].join('---\n'));
  return exitCodes.done;
}

async function check(context: Context, flags: Flags): Promise<number> {
  const { kubeconfig, context: name, namespace } = flags;
  const { site, settings } = await openCluster(context, { kubeconfig, context: name, namespace }, over(flags));
  const wanted = permissions(plannedRun(flags, settings));
  const missing = await missingPermissions(site.cluster, wanted);
  const { out } = context.host;
  if (context.flags.json) out.write(`${JSON.stringify({ schemaVersion: 1, asked: wanted.length, missing })}\n`);
  else out.write(missingText(wanted, missing, context));
  return missing.length === 0 ? exitCodes.done : exitCodes.failed;
}

function missingText(wanted: readonly Permission[], missing: readonly Permission[], { flags }: Context): string {
  const { good, bad } = paint(flags.color);
  if (missing.length === 0) return `${good('ok')}    all ${wanted.length} permissions are there\n`;
  return missing.map((permission) => `${bad('no')}    ${permissionText(permission)}\n`).join('');
}

const over = ({ manifests }: Flags) => (manifests === undefined ? {} : { manifests });

function plannedRun({ scenario, cleanup }: Flags, settings: PlannedRun['settings']): PlannedRun {
  return { settings, scenarios: chosenScenarios(scenario), cleanup };
}

/** Lists of words in one line, as people write them. */
function yamlOf(role: Role): string {
  const document = new Document(role);
  visit(document, {
    Seq: (_key, list) => {
      list.flow = list.items.every(isScalar);
    },
  });
  return document.toString({ lineWidth: 0, flowCollectionPadding: false });
}

function heading({ scenarios, settings }: PlannedRun, cloud: readonly string[]): string {
  return [
    `# The least that holdfast validate needs for ${scenarios.map(({ name }) => name).join(', ')}.`,
    `# Bind it: kubectl create clusterrolebinding holdfast --clusterrole=holdfast --user=…, and`,
    `# kubectl -n ${settings.namespace} create rolebinding holdfast --role=holdfast --user=… in each namespace below.`,
    ...(cloud.length === 0 ? [] : [`# The cloud has to allow besides: ${cloud.join(', ')}.`]),
    '',
  ].join('\n');
}
