import { connect } from '../../cluster/client.ts';
import { readCredentials } from '../../cluster/credentials.ts';
import type { Ingress } from '../../cluster/resources.ts';
import { OperationError, UsageError } from '../../host/errors.ts';
import type { Context } from '../command/context.ts';
import { fitted } from '../command/hanging-indent.ts';
import type { Learnt, Part } from '../settings/learnt-settings.ts';

type Validation = NonNullable<Learnt['validation']>;
type Deployment = NonNullable<Learnt['deployment']>;

/**
 * Asks a person what to write: the application in the cluster of the kubeconfig, and the site in this folder. It only
 * reads.
 */
export async function askWhatIsHere(context: Context, only?: Part): Promise<Learnt> {
  const validation = only === 'deployment' ? undefined : await askForApplication(context);
  const deployment = only === 'validation' ? undefined : await askForSite(context);
  return { ...(validation && { validation }), ...(deployment && { deployment }) };
}

const say = ({ host: { talk } }: Context, text: string): void => talk.write(`${fitted(talk, '', text, 2)}\n`);

/** The answer, or what stands for an empty one. */
async function ask({ host: { talk, input } }: Context, question: string, usual: string): Promise<string> {
  talk.write(`${question}${usual === '' ? '' : ` [${usual}]`}: `);
  return (await input.line())?.trim() || usual;
}

async function askForApplication(context: Context): Promise<Validation | undefined> {
  const found = await applications(context).catch((error: unknown) => {
    if (!(error instanceof UsageError || error instanceof OperationError)) throw error;
    say(context, `No cluster was asked: ${error.message}`);
    return [];
  });
  if (found.length === 0) return undefined;
  found.forEach(({ namespace, application, url }, index) => {
    say(context, `${String(index + 1).padStart(3)}  ${namespace}/${application} at ${url}`);
  });
  const answer = await ask(context, 'Which of these is to be validated? Its number, or nothing for none', '');
  const chosen = found[Number(answer) - 1];
  if (answer !== '' && chosen === undefined)
    say(context, `${answer} is none of them: the example's application stays.`);
  return chosen;
}

/** More do not fit on a screen; the settings can name any other. */
const mostApplications = 30;

/** What visitors reach by an Ingress. Its Deployment is taken to have the name of its Service. */
async function applications(context: Context): Promise<readonly Validation[]> {
  const { host, environment } = context;
  const { access, context: name } = await readCredentials(host, { environment });
  say(context, `Reading the Ingresses of the cluster ${access.server} (context ${name}) …`);
  const ingresses = await connect(host, access).list('Ingress');
  const all = ingresses.flatMap(reached);
  if (all.length === 0) say(context, 'No Ingress there leads to an application.');
  return all.slice(0, mostApplications);
}

function reached({ metadata, spec }: Ingress): readonly Validation[] {
  return (spec.rules ?? []).flatMap(({ host, http }) =>
    (http?.paths ?? []).flatMap(({ path = '/', backend }) => {
      const application = backend.service?.name;
      if (host === undefined || application === undefined) return [];
      const url = `${spec.tls === undefined ? 'http' : 'https'}://${host}${path}`;
      return [{ url, namespace: metadata.namespace ?? 'default', application, applicationKind: 'Deployment' }];
    }),
  );
}

/** A checkout of git in this folder. */
async function askForSite(context: Context): Promise<Deployment | undefined> {
  const { files } = context.host;
  const head = await files.read('.git/HEAD').catch(() => undefined);
  if (head === undefined) return undefined;
  const appDir = (await files.realPath('.')) ?? '.';
  const [, branch = 'main'] = /^ref: refs\/heads\/(\S+)/.exec(head) ?? [];
  say(context, `${appDir} is a git checkout.`);
  const answer = await ask(context, 'Is it to be deployed here? yes or no', 'no');
  if (answer !== 'yes' && answer !== 'y') return undefined;
  return {
    appDir,
    branch: await ask(context, 'The branch', branch),
    healthUrl: await ask(context, 'The address that answers 200 when the site works', 'http://127.0.0.1/up'),
    logFile: await ask(context, 'The deployment log', `${context.environment.HOME ?? ''}/deploy.log`),
    preset: await presetHere(files),
  };
}

/** What only a checkout of that framework has; the first that is there counts. */
const signs = [
  ['laravel', ['artisan']],
  ['symfony', ['bin/console']],
  ['wordpress', ['wp-includes', 'wp-content']],
  ['drupal', ['web/core', 'core/lib/Drupal.php', 'web/sites/default']],
  ['php', ['index.php', 'public/index.php', 'composer.json']],
] as const;

async function presetHere(files: Context['host']['files']): Promise<string> {
  for (const [preset, paths] of signs)
    for (const path of paths) if ((await files.stat(path)) !== undefined) return preset;
  return 'none';
}
