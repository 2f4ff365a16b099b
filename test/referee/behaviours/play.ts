import type { Behaviour, Names, Observed } from './behaviour.ts';
import { pathOf } from './paths.ts';
import type { Place } from './place.ts';
import { isReadyPod, openStage, type Stage } from './stage.ts';

/** How long what stands before the deed may take; a node of the kit is there within 20 s. */
const readyWithinSeconds = 150;
/** Events, EndpointSlices and status follow a deed within this time. */
const settlingSeconds = 3;

/** Plays a behaviour in a namespace and a pool of its own, removes both, and returns what was seen. */
export async function playOne(place: Place, behaviour: Behaviour): Promise<Observed> {
  const names: Names = { namespace: `b-${behaviour.name}`, pool: `b-${behaviour.name}` };
  await create(place, { apiVersion: 'v1', kind: 'Namespace', metadata: { name: names.namespace } });
  const stage = await openStage(place, names);
  try {
    return await played(stage, behaviour);
  } catch (error) {
    const impossible = error instanceof Error ? error.message : String(error);
    return { ...stage.observed(behaviour.wanted), impossible };
  } finally {
    stage.close();
    await removeAll(place, stage);
  }
}

async function played(stage: Stage, behaviour: Behaviour): Promise<Observed> {
  const before = behaviour.before(stage);
  for (const object of before) await stage.apply(object);
  const asked = before.reduce((sum: number, object) => sum + replicasOf(object), 0);
  const isReady = () => stage.pods().length >= asked && stage.pods().every(isReadyPod);
  if (!(await stage.until('ready before', isReady, readyWithinSeconds)))
    throw new Error(`what stands before was not ready within ${readyWithinSeconds} s`);
  await stage.sleep(settlingSeconds);
  stage.begin();
  await behaviour.play(stage);
  await stage.sleep(settlingSeconds);
  return stage.observed(behaviour.wanted);
}

function replicasOf(object: { readonly kind?: string; readonly spec?: { readonly replicas?: number } }): number {
  return object.kind === 'Deployment' || object.kind === 'StatefulSet' ? (object.spec?.replicas ?? 1) : 0;
}

async function create({ api }: Place, object: { kind: 'Namespace'; [member: string]: unknown }): Promise<void> {
  const { status, body } = await api.ask('POST', pathOf(object.kind), { body: object });
  if (status >= 400) throw new Error(`POST ${object.kind}: ${status} ${body?.message}`);
}

/**
 * Budgets and finalizers may hold up what is left: pods go at once, then the pools with their claims. Nobody waits for
 * it.
 */
async function removeAll({ api }: Place, stage: Stage): Promise<void> {
  const remove = (path: string, body: object = {}) => api.ask('DELETE', path, { body });
  for (const { metadata } of stage.seen('PodDisruptionBudget'))
    await remove(`${pathOf('PodDisruptionBudget', stage.namespace)}/${metadata.name}`);
  await remove(`${pathOf('Namespace')}/${stage.namespace}`);
  const left = stage.seen('Pod').map(({ metadata }) => metadata.name);
  for (const name of left) await remove(`${pathOf('Pod', stage.namespace)}/${name}`, { gracePeriodSeconds: 0 });
  for (const { metadata } of stage.seen('NodePool'))
    if (metadata.name.startsWith(stage.pool)) await remove(`${pathOf('NodePool')}/${metadata.name}`);
}
