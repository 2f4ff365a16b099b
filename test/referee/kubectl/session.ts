import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { manifests } from './manifests.ts';
import { normalised } from './normalised.ts';

/** One command of the session, and what kubectl printed and returned. */
export interface Said {
  readonly command: string;
  readonly code: number;
  /** Its lines after normalisation. */
  readonly lines: readonly string[];
}

/**
 * The session: words of kubectl, with `< name` for a manifest on its standard input. Every command that needs a
 * controller's work is preceded by one that waits for it.
 */
export const commands: readonly string[] = `
version
cluster-info
api-versions
api-resources --no-headers
get --raw /readyz
cordon node-b
create namespace session
get namespace session
get namespace session -o jsonpath={.status.phase}
create configmap settings --from-literal=level=info --from-literal=size=5
get configmap settings -o yaml
describe configmap settings
create secret generic password --from-literal=password=secret
get secret password -o jsonpath={.data.password}
describe secret password
create serviceaccount app
create role reader --verb=get,list --resource=pods
create rolebinding readers --role=reader --serviceaccount=session:app
describe role reader
describe rolebinding readers
auth can-i list pods
auth can-i delete nodes --all-namespaces
create deployment web --image=nginx:1.27 --replicas=3 --port=80
rollout status deployment/web
wait --for=condition=Available deployment/web --timeout=60s
get deployment web
get deployment web -o wide
get deployment web -o name
get replicasets -o wide
get pods
get pods -o wide
get pods -l app=web -o jsonpath={.items[*].status.phase}
get pods -o custom-columns=IMAGE:.spec.containers[0].image,QOS:.status.qosClass
describe deployment web
describe replicaset
expose deployment web --port=80
get service web -o wide
describe service web
get endpointslices -o jsonpath={.items[*].ports[*].port}
autoscale deployment web --min=2 --max=5 --cpu=80%
get hpa
create poddisruptionbudget web --selector=app=web --min-available=1
wait --for=jsonpath={.status.disruptionsAllowed}=2 pdb/web --timeout=30s
get pdb
describe pdb web
create ingress web --rule=app.example.com/*=web:80 --class=nginx
get ingress
describe ingress web
set image deployment/web nginx=nginx:1.28
rollout status deployment/web
rollout history deployment/web
rollout history deployment/web --revision=2
rollout undo deployment/web
rollout status deployment/web
rollout restart deployment/web
rollout status deployment/web
rollout pause deployment/web
rollout pause deployment/web
rollout resume deployment/web
set env deployment/web MODE=test
set resources deployment/web --limits=cpu=200m --requests=cpu=100m
rollout status deployment/web
patch deployment web --type=strategic -p {"spec":{"minReadySeconds":1}}
patch deployment web --type=merge -p {"metadata":{"labels":{"tier":"front"}}}
patch deployment web --type=json -p [{"op":"replace","path":"/spec/replicas","value":2}]
patch deployment web --type=json -p [{"op":"remove","path":"/spec/nothing"}]
patch deployment web --type=merge -p {"spec":{"replicas":-1}}
rollout status deployment/web
scale deployment web --replicas=3 --current-replicas=7
scale deployment web --replicas=1
rollout status deployment/web
describe pods -l app=web
label deployment web tier=back
label deployment web tier=back --overwrite
annotate deployment web example.com/note=hello
get deployment web --show-labels
get deployment web -L tier
taint node node-b key=value:NoSchedule
taint node node-b key:NoSchedule-
label node node-a disk=fast
cordon node-a
uncordon node-b
get nodes
describe node node-b
drain node-a --ignore-daemonsets --delete-emptydir-data --timeout=60s
uncordon node-a
apply -f - < shop
apply -f - < shop
apply -f - < list
diff -f - < shop
diff -f - < shopChanged
apply -f - < shopChanged
apply --server-side -f - < shopServerSide
apply --server-side --field-manager=other -f - < shopServerSide
apply --server-side --field-manager=other -f - < shopTwoReplicas
apply -f - < wrongType
apply -f - < unknownField
create -f - < shop
create -f - --dry-run=server -o yaml < shopPod
delete -f - --dry-run=server < shop
explain deployment.spec.strategy
explain nodepool.spec.disruption.budgets
create job once --image=busybox
wait --for=condition=Complete job/once --timeout=60s
get jobs
describe job once
create cronjob nightly --image=busybox --schedule=0 3 * * *
get cronjobs
create quota limit --hard=pods=50
get quota -o name
create priorityclass session-high --value=1000
get priorityclass session-high
run single --image=busybox --restart=Never
wait --for=jsonpath={.status.phase}=Succeeded pod/single --timeout=60s
get pod single
get pods nobody
get nothing
get deployments -n nowhere
get all
events --for=deployment/shop
get events --field-selector=reason=ScalingReplicaSet -o custom-columns=R:.reason,K:.involvedObject.kind
top pods
create token app --duration=5s
get pods --chunk-size=1 -o name
get configmaps,secrets -o name
get pods -A --field-selector=metadata.name=single,metadata.namespace=session -o jsonpath={.items[*].kind}
delete pods -l app=shop --wait=false
delete deployment web --cascade=orphan
get replicasets -l app=web -o jsonpath={.items[*].metadata.ownerReferences}
delete all -l app=web
delete configmap settings nobody --ignore-not-found
delete secret,serviceaccount --all
delete priorityclass session-high
delete namespace session
get namespace session
`
  .trim()
  .split('\n');

/** Runs the session with that kubectl and returns what was said. */
export async function session(kubectl: string, kubeconfig: string, folder: string): Promise<readonly Said[]> {
  const all: Said[] = [];
  for (const command of commands) all.push(await say({ kubectl, kubeconfig, folder }, command));
  return all;
}

interface Terminal {
  readonly kubectl: string;
  readonly kubeconfig: string;
  readonly folder: string;
}

function say({ kubectl, kubeconfig, folder }: Terminal, command: string): Promise<Said> {
  const [typed = '', manifest] = command.split(' < ');
  const words = wordsOf(typed);
  const namespace = words.some((word) => ['-n', '-A', '--all-namespaces'].includes(word)) ? [] : ['-n', 'session'];
  const access = ['--kubeconfig', kubeconfig, '--cache-dir', join(folder, 'cache')];
  const env = { PATH: process.env.PATH ?? '', HOME: folder };
  return new Promise((resolve, reject) => {
    const child = execFile(
      kubectl,
      [...access, ...namespace, ...words],
      { env, timeout: 120_000 },
      (error, out, err) => {
        const code = error === null ? 0 : error.code;
        if (typeof code === 'number') resolve({ command, code, lines: normalised(out + err) });
        else reject(error);
      },
    );
    child.stdin?.on('error', () => undefined).end(manifest === undefined ? '' : manifests[manifest]);
  });
}

/** The schedule of a CronJob is one word. */
const wordsOf = (typed: string): readonly string[] =>
  typed
    .replace('0 3 * * *', '0_3_*_*_*')
    .split(' ')
    .map((word) => word.replace('0_3_*_*_*', '0 3 * * *'));
