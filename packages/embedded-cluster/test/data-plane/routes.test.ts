import assert from 'node:assert/strict';
import { test } from 'node:test';
import { backendOf } from '../../src/data-plane/routes.ts';
import type { Ingress } from '../../src/kubernetes/resources.ts';
import type { IngressSpec } from '../../src/kubernetes/specs.ts';
import * as objects from '../support/objects.ts';

type Path = readonly [path: string, pathType: 'Prefix' | 'Exact', service: string];

const backend = (name: string) => ({ service: { name, port: { number: 80 } } });
const ingress = (spec: IngressSpec): Ingress => ({ ...objects.ingress, spec });
const rule = (host: string | undefined, ...paths: readonly Path[]) => ({
  ...(host !== undefined && { host }),
  http: { paths: paths.map(([path, pathType, service]) => ({ path, pathType, backend: backend(service) })) },
});
const asked = (ingresses: readonly Ingress[], host: string, path = '/') =>
  backendOf(ingresses, { host, path })?.serviceKey;

test('rules of the host come before a wildcard that covers it, and that before rules without a host', () => {
  const all = [
    ingress({ rules: [rule(undefined, ['/', 'Prefix', 'any'])] }),
    ingress({ rules: [rule('*.example.com', ['/', 'Prefix', 'wild'])] }),
    ingress({ rules: [rule('app.example.com', ['/shop', 'Prefix', 'app'])] }),
  ];
  assert.equal(asked(all, 'app.example.com', '/shop/1'), 'default/app');
  assert.equal(asked(all, 'app.example.com', '/'), undefined, 'no rule of its host has this path');
  assert.equal(asked(all, 'other.example.com'), 'default/wild');
  assert.equal(asked(all, 'a.b.example.com'), 'default/any', 'a wildcard covers one label');
});

test('the longest path matches, Exact before Prefix, and a Prefix matches whole path elements', () => {
  const rules = [
    rule(
      'h',
      ['/', 'Prefix', 'root'],
      ['/a', 'Prefix', 'prefix'],
      ['/a', 'Exact', 'exact'],
      ['/a/b', 'Prefix', 'deep'],
    ),
  ];
  const at = (path: string) => asked([ingress({ rules })], 'h', path);
  assert.deepEqual(
    ['/', '/a', '/a/', '/ab', '/a/b', '/a/b/c'].map(at),
    ['root', 'exact', 'prefix', 'root', 'deep', 'deep'].map((name) => `default/${name}`),
  );
});

test('a request that no rule matches goes to the default backend; an Ingress of another class is ignored', () => {
  const fallback = ingress({ defaultBackend: backend('fallback') });
  assert.equal(asked([fallback], 'h'), 'default/fallback');
  assert.equal(asked([ingress({ ingressClassName: 'alb', rules: [rule('h', ['/', 'Prefix', 'a'])] })], 'h'), undefined);
  assert.equal(
    asked([ingress({ ingressClassName: 'nginx', rules: [rule('h', ['/', 'Prefix', 'a'])] })], 'h'),
    'default/a',
  );
});
