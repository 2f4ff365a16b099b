import { Document, isScalar, visit } from 'yaml';
import * as z from 'zod';
import { connect } from '../../cluster/client.ts';
import { readCredentials } from '../../cluster/credentials.ts';
import { gatewayPlaceOf } from '../../cluster/gateway-api.ts';
import { copyPermissions } from '../../copy/take-copy.ts';
import { iamPolicy } from '../../validation/permissions/iam-policy.ts';
import { missingPermissions, permissionText } from '../../validation/permissions/missing-permissions.ts';
import {
  cloudPermissions,
  type Permission,
  type PlannedRun,
  permissions,
  usefulPermissions,
} from '../../validation/permissions/permissions.ts';
import { type Role, rolesOf } from '../../validation/permissions/roles.ts';
import type { Settings } from '../../validation/settings.ts';
import { clusterFlags, runFlagMistakes, runFlags, typedSettings } from '../cluster/cluster-flags.ts';
import { openCluster } from '../cluster/open-cluster.ts';
import { manifestsToApply, readRunSettings, withApplied } from '../cluster/own-manifests.ts';
import { readRunFlags } from '../cluster/read-run-flags.ts';
import type { Perform } from '../command/command.ts';
import type { Context } from '../command/context.ts';
import { exitCodes } from '../command/exit-codes.ts';
import { readFlags } from '../command/read-flags.ts';
import { paint } from '../command/text.ts';
import { scenarioMistakes, scenariosOn } from '../settings/run-settings.ts';

const schema = z.strictObject({
  ...clusterFlags,
  ...runFlags,
  cleanup: z.boolean().default(false),
  check: z.boolean().default(false),
  iam: z.boolean().default(false),
});
type Flags = z.output<typeof schema>;

/**
 * `rbac`: prints the least roles for the chosen scenarios; with `--iam` the IAM policy for the cloud's part. With
 * `--check`: 0 if the caller has every permission, 1 if one is missing.
 */
export const rbac: Perform = async (context, { options }) => {
  if (isOfSnapshot(options)) return ofSnapshot(context, readFlags(schema, options));
  const flags = await readRunFlags(schema, options, {
    alsoWrong: (typed) => [...scenarioMistakes(typed.scenario ?? []), ...bothMistake(typed), ...runFlagMistakes(typed)],
    files: ({ file, application }) => readRunSettings(context, { file, application }, {}),
  });
  return flags.check ? check(context, flags) : print(context, flags);
};

/** `snapshot` is no scenario, and needs none of what a run needs. */
const isOfSnapshot = ({ scenario }: { readonly scenario?: unknown }): boolean =>
  Array.isArray(scenario) && scenario.length === 1 && scenario[0] === 'snapshot';

async function ofSnapshot(context: Context, flags: Flags): Promise<number> {
  const wanted = copyPermissions.flatMap((one) =>
    ['get', 'list'].map((verb): Permission => ({ ...one, verb, purpose: 'snapshot', undoes: false })),
  );
  const { out } = context.host;
  if (flags.check) {
    const { access } = await readCredentials(context.host, { ...flags, environment: context.environment });
    return tellMissing(context, wanted, await missingPermissions(connect(context.host, access), wanted));
  }
  const roles = rolesOf(wanted);
  if (context.flags.json) out.write(`${JSON.stringify({ schemaVersion: 1, roles, cloud: [] })}\n`);
  else out.write(`# What holdfast snapshot reads.\n${roles.map(yamlOf).join('---\n')}`);
  return exitCodes.done;
}

/** `--check` asks the API server, which knows nothing of IAM. */
const bothMistake = ({ check: checks, iam }: { readonly [flag in 'check' | 'iam']?: boolean | undefined }) =>
  checks && iam ? ['--iam prints a policy and --check asks the API server: use one of them.'] : [];

async function print(context: Context, flags: Flags): Promise<number> {
  const run = plannedRun(flags, await settingsOf(context, flags));
  if (flags.iam) return printPolicy(context, run);
  const roles = rolesOf([...permissions(run), ...usefulPermissions]);
  const cloud = cloudPermissions(run.scenarios);
  const { out } = context.host;
  if (context.flags.json) out.write(`${JSON.stringify({ schemaVersion: 1, roles, cloud })}\n`);
  else out.write([heading(run, roles, cloud), ...roles.map(yamlOf)].join('---\n'));
  return exitCodes.done;
}

/**
 * Without a cluster nothing tells the place of a kind that the manifests do not define, but of those of the Gateway
 * API.
 */
async function settingsOf(context: Context, flags: Flags): Promise<Settings> {
  const { namespace, file, application } = flags;
  const more = { ...typedSettings(flags), ...(namespace === undefined ? {} : { namespace }) };
  const { settings, own } = await readRunSettings(context, { file, application }, more);
  if (own === undefined) return settings;
  const applied = await manifestsToApply(
    own,
    async (type) => gatewayPlaceOf(type),
    'is defined nowhere: add its definition to -f, or ask the cluster by --check.',
  );
  return withApplied(settings, applied);
}

/** The policy is JSON with and without `--json`. */
function printPolicy({ host: { out } }: Context, { settings, scenarios }: PlannedRun): number {
  out.write(`${JSON.stringify(iamPolicy(settings, cloudPermissions(scenarios)), undefined, 2)}\n`);
  return exitCodes.done;
}

async function check(context: Context, flags: Flags): Promise<number> {
  const { kubeconfig, context: name, namespace, file, application } = flags;
  const where = { kubeconfig, context: name, namespace, file, application };
  const { site, settings } = await openCluster(context, where, typedSettings(flags));
  const wanted = permissions(plannedRun(flags, settings));
  return tellMissing(context, wanted, await missingPermissions(site.cluster, wanted));
}

function tellMissing(context: Context, wanted: readonly Permission[], missing: readonly Permission[]): number {
  const { out } = context.host;
  if (context.flags.json) out.write(`${JSON.stringify({ schemaVersion: 1, asked: wanted.length, missing })}\n`);
  else out.write(missingText(wanted, missing, context));
  return missing.length === 0 ? exitCodes.done : exitCodes.failed;
}

function missingText(wanted: readonly Permission[], missing: readonly Permission[], { flags }: Context): string {
  const { good, bad } = paint(flags.color);
  if (missing.length === 0) return `${good('ok')}    all ${wanted.length} permissions are granted\n`;
  return missing.map((permission) => `${bad('missing')}  ${permissionText(permission)}\n`).join('');
}

function plannedRun({ scenario, cleanup }: Flags, settings: PlannedRun['settings']): PlannedRun {
  return { settings, scenarios: scenariosOn(settings, scenario), cleanup };
}

/** Lists of scalars on one line, as people write them. */
function yamlOf(role: Role): string {
  const document = new Document(role);
  visit(document, {
    Seq: (_key, list) => {
      list.flow = list.items.every(isScalar);
    },
  });
  return document.toString({ lineWidth: 0, flowCollectionPadding: false });
}

function heading({ scenarios }: PlannedRun, roles: readonly Role[], cloud: readonly string[]): string {
  const namespaces = roles.flatMap(({ metadata }) => metadata.namespace ?? []);
  return [
    '# The least permissions that holdfast validate needs for the scenarios',
    `# ${scenarios.map(({ name }) => name).join(', ')}.`,
    '# To bind the ClusterRole, and the Role in each namespace below, to a user:',
    '#   kubectl create clusterrolebinding holdfast --clusterrole=holdfast --user=USER',
    ...namespaces.map((name) => `#   kubectl -n ${name} create rolebinding holdfast --role=holdfast --user=USER`),
    ...(cloud.length === 0
      ? []
      : ['# The cloud has to allow as well:', `#   ${cloud.join(', ')} (rbac --iam prints the policy)`]),
    '',
  ].join('\n');
}
