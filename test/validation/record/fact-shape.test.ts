import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { connect } from '../../../src/cluster/client.ts';
import { OperationError } from '../../../src/host/errors.ts';
import { memoryFiles } from '../../../src/host/memory-files.ts';
import { reportText } from '../../../src/report/text.ts';
import { actions } from '../../../src/validation/actions/index.ts';
import { undoAction } from '../../../src/validation/actions/undo-action.ts';
import { readRun } from '../../../src/validation/judge/read-run.ts';
import { isValidationFact } from '../../../src/validation/record/fact-shape.ts';
import { intentShapes } from '../../../src/validation/record/intent-shapes.ts';
import { validationSchema } from '../../../src/validation/settings.ts';
import { apiHost } from '../../cluster/api-host.ts';
import { json } from '../../support/cluster-commands.ts';
import { richRun } from '../../support/rich-run.ts';

const facts: readonly Readonly<Record<string, unknown>>[] = richRun().facts.filter(
  ({ type }) => type !== 'line-damaged',
) as never;

/** A fact with one member gone, or of another kind. */
const changedFact = fc
  .record({
    index: fc.nat(facts.length - 1),
    member: fc.nat(20),
    inner: fc.nat(20),
    instead: fc.constantFrom(undefined, null, 1, 'x', true, [], {}, [null], { x: null }),
  })
  .map(({ index, member, inner, instead }) => {
    const fact = structuredClone(facts[index] ?? {}) as Record<string, unknown>;
    const keys = Object.keys(fact).filter((key) => key !== 'at' && key !== 'type');
    const key = keys[member % Math.max(1, keys.length)] ?? 'more';
    const within = fact[key];
    const deep = typeof within === 'object' && within !== null ? Object.keys(within) : [];
    if (inner % 2 === 0 && deep.length > 0)
      (within as Record<string, unknown>)[deep[inner % deep.length] ?? ''] = instead;
    else fact[key] = instead;
    return { index, fact };
  });

test('every fact of a whole run has the shape', () => {
  assert.deepEqual(
    facts.filter((fact) => !isValidationFact(fact as never)),
    [],
  );
});

test('so have the settings of a run of several applications', () => {
  const [started] = facts.filter(({ type }) => type === 'run-started');
  const further = [{ application: 'forum', url: 'http://forum.example.com/' }];
  const { settings } = started as { readonly settings: object };
  for (const applications of [further, validationSchema.parse({ applications: further }).applications])
    assert.ok(isValidationFact({ ...started, settings: { ...settings, applications } } as never));
});

test('a run with any fact changed in any member is judged, refused or has no result: never a defect of ours', async () => {
  await fc.assert(
    fc.asyncProperty(changedFact, async ({ index, fact }) => {
      const files = memoryFiles();
      const lines = facts.map((one, at) => JSON.stringify(at === index ? fact : one));
      await files.replace('run/journal.jsonl', `${lines.join('\n')}\n`);
      const read = await readRun(files, 'run').catch((error: unknown) => {
        if (error instanceof OperationError) return undefined;
        throw error;
      });
      if (read !== undefined) reportText(read.result);
    }),
    { numRuns: 300, seed: 39 },
  );
});

test('any JSON in place of an object or a list of the API is a sentence', async () => {
  await fc.assert(
    fc.asyncProperty(fc.jsonValue(), async (answer) => {
      const { clock } = apiHost();
      const http = async () => ({ ...json(200, {}), text: async () => JSON.stringify(answer) });
      const cluster = connect({ http, clock }, { server: 'https://api' });
      await clock.run(async () => {
        for (const asked of [cluster.get('Pod', { name: 'x', namespace: 'y' }), cluster.list('Pod')])
          await asked.then(
            (found) => assert.ok(found !== undefined && (Array.isArray(found) || 'metadata' in found)),
            (error: unknown) => assert.ok(error instanceof OperationError, String(error)),
          );
      });
    }),
    { numRuns: 200, seed: 39 },
  );
});

test('a List in place of an object is a sentence that names what was asked', async () => {
  const { clock } = apiHost();
  const list = { kind: 'PodList', apiVersion: 'v1', metadata: { resourceVersion: '1' }, items: [] };
  const cluster = connect({ http: async () => json(200, list), clock }, { server: 'https://api' });
  await clock.run(() =>
    assert.rejects(
      cluster.get('Pod', { name: 'x', namespace: 'y' }),
      /get Pod y\/x: the response is no such object: metadata\.name: /,
    ),
  );
});

test('every action has the shape of its intent', () => {
  assert.deepEqual(Object.keys(intentShapes).toSorted(), Object.keys(actions).toSorted());
});

test('an intent that an undo cannot read leaves the action open, and sends nothing', async () => {
  const begun = { id: 'a', action: 'scale', subject: 'Deployment x/y', intent: { namespace: '..', name: 'y' } };
  const written: unknown[] = [];
  const journal = { intend: async (fact: unknown) => void written.push(fact) };
  const end = await undoAction({} as never, journal as never, begun);
  assert.equal(end.state, 'failed');
  assert.match(end.because, /nothing was tried.*The journal does not hold what an undo needs: intent\./);
});
