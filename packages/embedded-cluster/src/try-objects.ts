import { createApiServer } from './api-server/api-server.ts';
import type { Clock } from './outside/clock.ts';
import { randomStreams } from './outside/random.ts';
import { type Applied, applyObjects, type Cause, type Written } from './world/apply-objects.ts';
import { fieldsIn, withoutField } from './world/written-fields.ts';

/** An API server names one field of a wrong type at a time, so that each further one needs another try. */
const mostRounds = 20;

type Send = (objects: readonly Written[]) => Promise<readonly Applied[]>;

/**
 * The answers of an API server that holds nothing else to these objects. A refusal has every fault of its object: a
 * field of a wrong type or an unknown one is removed, and the rest is tried again.
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

/** A refusal about a field that was removed, or about one around it, may only be a result of the removal. */
const isAround = (outer: string, inner: string): boolean => outer !== '' && inner.startsWith(outer);

/**
 * The API server may not name the place of a value that it cannot read. It is the value whose removal ends the refusal.
 */
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

/** For an item of a list the whole list is removed, so that the indexes of the items after it stay as written. */
const listOf = (field: string): string => field.replace(/(\[\d+\])+$/, '');
