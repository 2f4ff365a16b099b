import { createApiServer } from './api-server/api-server.ts';
import type { Clock } from './outside/clock.ts';
import { randomStreams } from './outside/random.ts';
import { type Applied, applyObjects, type Cause, type Written } from './world/apply-objects.ts';
import { fieldsIn, withoutField } from './world/written-fields.ts';

/** An API server names one field of a wrong type at a time; further ones are not looked for. */
const mostRounds = 20;

type Send = (objects: readonly Written[]) => Promise<readonly Applied[]>;

/**
 * What an API server without anything else says of these objects. A refusal has every fault of its object: a field of the wrong type or
 * that nobody knows is taken away, and the rest is tried again.
 */
export async function tryObjects(
  { clock }: { readonly clock: Pick<Clock, 'wallAt' | 'sleep'> },
  objects: readonly Written[],
  namespace: string,
): Promise<readonly Applied[]> {
  const apiServer = createApiServer({ clock, random: randomStreams('manifests') });
  const send: Send = (all) => applyObjects((request) => apiServer.handle(request), all, namespace);
  const answers = await send(objects);
  return Promise.all(
    answers.map((answer, index) => {
      const object = objects[index];
      return object === undefined || answer.outcome !== 'refused' ? answer : allFaults(send, object, answer.causes);
    }),
  );
}

async function allFaults(send: Send, object: Written, first: readonly Cause[]): Promise<Applied> {
  const causes: Cause[] = [];
  const removed: string[] = [];
  let [rest, latest] = [object, first];
  for (let round = 0; round < mostRounds; round += 1) {
    const placed = await Promise.all(latest.map((cause) => withField(send, rest, cause)));
    causes.push(
      ...placed.filter(({ field }) => !removed.some((gone) => isAround(field, gone) || isAround(gone, field))),
    );
    const wrong = placed.filter(({ isDecoding, field }) => isDecoding && field !== '').map(({ field }) => field);
    removed.push(...wrong);
    rest = wrong.map(listOf).reduce(withoutField, rest);
    const [answer] = wrong.length === 0 ? [] : await send([rest]);
    if (answer?.outcome !== 'refused') break;
    latest = answer.causes;
  }
  return { outcome: 'refused', causes };
}

/** What is said of a field that was taken away, or of one around it, may only be so because it is gone. */
const isAround = (outer: string, inner: string): boolean => outer !== '' && inner.startsWith(outer);

/** Of a value that cannot be read the API server may not say where it stands: it is the one without which nothing is said of it. */
async function withField(send: Send, object: Written, cause: Cause): Promise<Cause> {
  if (cause.isDecoding === undefined || cause.field !== '') return cause;
  const isCured = async (field: string): Promise<boolean> => {
    const [answer] = await send([withoutField(object, field)]);
    return answer?.outcome !== 'refused' || answer.causes.every(({ message }) => message !== cause.message);
  };
  let field = '';
  for (
    let inner: string | undefined = '';
    inner !== undefined;
    inner = await firstOf(removable(object, field), isCured)
  )
    field = inner;
  return { ...cause, field };
}

async function firstOf(fields: readonly string[], isWanted: (field: string) => Promise<boolean>) {
  for (const field of fields) if (await isWanted(field)) return field;
  return undefined;
}

/** Without its kind and its name an object cannot be sent. */
const removable = (object: Written, field: string): readonly string[] =>
  field !== ''
    ? fieldsIn(object, field)
    : [...fieldsIn(object, ''), ...fieldsIn(object, 'metadata')].filter((one) => !needed.includes(one));
const needed: readonly string[] = ['apiVersion', 'kind', 'metadata', 'metadata.name', 'metadata.namespace'];

/** Of an item its list: the places of the items behind it stay as they are written. */
const listOf = (field: string): string => field.replace(/(\[\d+\])+$/, '');
