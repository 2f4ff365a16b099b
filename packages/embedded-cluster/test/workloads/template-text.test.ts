import assert from 'node:assert/strict';
import { test } from 'node:test';
import { podTemplateHash } from '../../src/objects/names.ts';
import { templateText } from '../../src/workloads/template-text.ts';
import { exchanges } from '../api-server/differential/exchanges.ts';

/** A Deployment as a real cluster answered it, with the names of its ReplicaSets in its conditions. */
interface Recorded {
  readonly kind?: string;
  readonly spec: { readonly template: Readonly<Record<string, unknown>> };
  readonly status?: { readonly conditions?: readonly { readonly type: string; readonly message: string }[] };
}

test('the hash of a template is the one in the name of the ReplicaSet that a real cluster made', () => {
  const recorded = exchanges('cluster')
    .filter(({ method }) => method === 'GET')
    .map(({ answer }) => answer.body as Recorded)
    .filter(({ kind }) => kind === 'Deployment');
  const hashes = recorded.flatMap(({ spec, status }) => {
    const progress = status?.conditions?.find(({ type }) => type === 'Progressing');
    const [, hash] = /ReplicaSet "\w+-(\w+)" has successfully/.exec(progress?.message ?? '') ?? [];
    return hash === undefined ? [] : [[podTemplateHash(templateText(spec.template)), hash] as const];
  });
  assert.ok(hashes.length > 0);
  for (const [ours, real] of hashes) assert.equal(ours, real);
});

test('a quantity is printed as Go holds it', () => {
  const held = (amount: string): string => {
    const resources = { limits: { cpu: amount } };
    const [, text = ''] = /map\[cpu:(\{.*?\})\]/.exec(templateText({ spec: { containers: [{ resources }] } })) ?? [];
    return text.replaceAll(/\(resource\.\w+\)|\(\w+\)|\(\*inf\.Dec\)/g, '');
  };
  const expected: Readonly<Record<string, string>> = {
    '500m': '{i:{value:500 scale:-3} d:{Dec:<nil>} s:500m Format:DecimalSI}',
    '0.5': '{i:{value:5 scale:-1} d:{Dec:<nil>} s: Format:DecimalSI}',
    '64Mi': '{i:{value:67108864 scale:0} d:{Dec:<nil>} s: Format:BinarySI}',
    '1Gi': '{i:{value:1073741824 scale:0} d:{Dec:<nil>} s:1Gi Format:BinarySI}',
    '2000': '{i:{value:2000 scale:0} d:{Dec:<nil>} s: Format:DecimalSI}',
    '1e3': '{i:{value:1 scale:3} d:{Dec:<nil>} s:1e3 Format:DecimalExponent}',
    '0': '{i:{value:0 scale:0} d:{Dec:<nil>} s:0 Format:DecimalSI}',
  };
  for (const [amount, text] of Object.entries(expected)) assert.equal(held(amount), text, amount);
});
