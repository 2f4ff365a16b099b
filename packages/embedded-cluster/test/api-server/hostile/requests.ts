import fc from 'fast-check';
import { mutated } from './mutated.ts';
import type { Target } from './targets.ts';
import { anyJson, hostileScalars, hostileTexts } from './values.ts';

/** A request as a socket takes it: the bytes of a body need be no text. */
export interface HostileRequest {
  readonly method: string;
  /** With its query. */
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Buffer;
  /**
   * How much of the answer is read: a watch is left after its head, after its first piece, or stays open for a while.
   */
  readonly leave: 'at the head' | 'after a piece' | 'later';
}

/** The methods that a client can send; CONNECT is one for proxies. */
const methods = ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS', 'TRACE', 'PROPFIND', 'PURGE'];

const patchTypes = [
  'application/json-patch+json',
  'application/merge-patch+json',
  'application/strategic-merge-patch+json',
  'application/apply-patch+yaml',
];
const mediaTypes = [
  ...patchTypes,
  'application/json',
  'application/json',
  'application/yaml',
  'application/vnd.kubernetes.protobuf',
  'application/cbor',
  'application/x-www-form-urlencoded',
  'text/plain; charset=latin1',
  '',
];
const accepted = [
  'application/json',
  'application/json;as=Table;v=v1;g=meta.k8s.io,application/json',
  'application/json;as=PartialObjectMetadataList;v=v1;g=meta.k8s.io',
  'application/json;as=APIGroupDiscoveryList;v=v2;g=apidiscovery.k8s.io',
  'application/vnd.kubernetes.protobuf',
  'application/yaml',
  '*/*',
  'text/html;q=2,*/*;q=nope',
];
/** The characters that a header may have (RFC 9110, field-value). */
const headerText = fc.string({
  unit: fc
    .integer({ min: 0x20, max: 0xff })
    .filter((code) => code !== 0x7f)
    .map((code) => String.fromCharCode(code)),
});

const headers = fc
  .record(
    {
      'content-type': fc.oneof({ weight: 6, arbitrary: fc.constantFrom(...mediaTypes) }, headerText),
      accept: fc.oneof({ weight: 6, arbitrary: fc.constantFrom(...accepted) }, headerText),
      'user-agent': headerText,
      'x-remote-user': headerText,
      'impersonate-user': headerText,
      'if-match': headerText,
      'accept-encoding': fc.constantFrom('gzip', 'identity;q=0', '*'),
    },
    { requiredKeys: [] },
  )
  .map(definedOnly);

function definedOnly(members: Readonly<Record<string, string | undefined>>): Readonly<Record<string, string>> {
  const sent = Object.entries(members).filter((entry): entry is [string, string] => entry[1] !== undefined);
  return Object.fromEntries(sent.map(([name, value]) => [name, value.trim()]));
}

const options = [
  'allowWatchBookmarks',
  'continue',
  'dryRun',
  'fieldManager',
  'fieldSelector',
  'fieldValidation',
  'force',
  'gracePeriodSeconds',
  'includeObject',
  'labelSelector',
  'limit',
  'orphanDependents',
  'pretty',
  'propagationPolicy',
  'resourceVersion',
  'resourceVersionMatch',
  'sendInitialEvents',
  'timeoutSeconds',
  'timeout',
  'watch',
];
const optionValues = [
  ...['', '0', '1', '-1', '9007199254740993', '1e400', 'NaN', 'true', 'false', 'All', 'Strict', 'Warn', 'Foreground'],
  ...[
    'Orphan',
    'Exact',
    'NotOlderThan',
    'a=b',
    'a in (b,c)',
    '!a',
    'a==b,c!=d',
    'metadata.name=web',
    'spec.nodeName=',
    '(((',
  ],
];
const query = fc
  .array(fc.tuple(fc.constantFrom(...options), fc.oneof(fc.constantFrom(...optionValues), hostileTexts)), {
    maxLength: 4,
  })
  .map((pairs) => {
    const text = pairs.map(([name, value]) => `${name}=${encodeURIComponent(value.toWellFormed())}`).join('&');
    return text === '' ? '' : `?${text}`;
  });

/** Any path that a request line may have. */
const anyPath = fc
  .array(
    fc.oneof(
      fc.constantFrom(
        'api',
        'apis',
        'v1',
        'apps',
        'namespaces',
        'watch',
        'pods',
        'deployments',
        '..',
        '.',
        '',
        '%00',
        '%zz',
        '%2f',
        'proxy',
      ),
      hostileTexts.map((text) => encodeURIComponent(text.toWellFormed())),
    ),
    { maxLength: 9 },
  )
  .map((parts) => `/${parts.join('/')}`);

const leave = fc.constantFrom('at the head' as const, 'after a piece' as const, 'later' as const);

/** Any request whatever: any method, path, query, headers and bytes. */
const anyRequest: fc.Arbitrary<HostileRequest> = fc.record({
  method: fc.constantFrom(...methods),
  path: fc.tuple(anyPath, query).map(([path, text]) => path + text),
  headers,
  body: fc.oneof(
    anyJson.map(bytesOf),
    fc.uint8Array({ maxLength: 200 }).map((bytes) => Buffer.from(bytes)),
    fc.uint8Array({ maxLength: 200 }).map((bytes) => Buffer.concat([Buffer.from('k8s\0'), bytes])),
    hostileTexts.map((text) => Buffer.from(text)),
  ),
  leave,
});

/** Requests to the places of a real cluster, with the objects that are there, mutated. */
function aimed(targets: readonly Target[]): fc.Arbitrary<HostileRequest> {
  return fc
    .constantFrom(...targets)
    .chain((target) => fc.oneof({ weight: 3, arbitrary: fitting(target) }, { weight: 1, arbitrary: crossed(target) }));
}

interface Form {
  readonly method: string;
  readonly path: string;
  readonly type: string;
}

/** A method at a path that takes it, with a content type that fits. */
function fitting(target: Target): fc.Arbitrary<HostileRequest> {
  return fc.oneof(...formsOf(target)).chain(({ method, path, type }) => {
    const sentQuery = fc.oneof({ weight: 4, arbitrary: fc.constant('') }, { weight: 1, arbitrary: query });
    const isApply = type.includes('apply');
    return fc.record({
      method: fc.constant(method),
      path: sentQuery.map((text) => path + (isApply ? `${text || '?'}&fieldManager=hostile&force=true` : text)),
      headers: fittingHeaders.map((sent) => ({ ...sent, 'content-type': type })),
      body: method === 'DELETE' ? bodyOf(deleteOptions, 6, 1) : bodyOf(target.object, ...weightsOf(type)),
      leave,
    });
  });
}

function formsOf({ paths: [collection, own], updated }: Target): readonly fc.Arbitrary<Form>[] {
  const type = 'application/json';
  const ones = fc.constantFrom(
    { method: 'GET', path: collection, type },
    { method: 'POST', path: collection, type },
    { method: 'DELETE', path: own, type },
  );
  if (updated.length === 0) return [ones];
  const path = fc.constantFrom(...updated);
  const put = path.map((one) => ({ method: 'PUT', path: one, type }));
  const patch = fc
    .tuple(path, fc.constantFrom(...patchTypes))
    .map(([one, type]) => ({ method: 'PATCH', path: one, type }));
  return [ones, put, patch, patch];
}

const fittingHeaders = fc.oneof({ weight: 4, arbitrary: fc.constant({}) }, { weight: 1, arbitrary: headers });
const weightsOf = (type: string): readonly [number, number] => (type.includes('json-patch') ? [1, 6] : [6, 1]);
const deleteOptions = {
  kind: 'DeleteOptions',
  apiVersion: 'v1',
  gracePeriodSeconds: 30,
  propagationPolicy: 'Foreground',
  preconditions: { uid: 'x' },
  dryRun: ['All'],
};

/** Any method at any of its paths. */
function crossed({ object, paths }: Target): fc.Arbitrary<HostileRequest> {
  return fc.record({
    method: fc.constantFrom(...methods),
    path: fc.tuple(fc.constantFrom(...paths), query).map(([path, text]) => path + text),
    headers,
    body: bodyOf(object, 4, 2),
    leave,
  });
}

function bodyOf(object: object, mutatedWeight: number, operationsWeight: number): fc.Arbitrary<Buffer> {
  return fc.oneof(
    { weight: 2 * mutatedWeight, arbitrary: mutated(object).map(bytesOf) },
    { weight: 2 * operationsWeight, arbitrary: patchOperations.map(bytesOf) },
    { weight: 1, arbitrary: anyJson.map(bytesOf) },
    { weight: 1, arbitrary: extremes },
  );
}

const pointer = fc.oneof(
  fc.constantFrom('', '/', '/metadata/labels', '/spec', '/spec/replicas', '/spec/template/spec/containers/0/image'),
  fc.constantFrom(
    '/spec/template/spec/containers/-',
    '/metadata/annotations/a~1b',
    '/__proto__/x',
    '/constructor/prototype/x',
    '/metadata/uid',
    '/kind',
  ),
  hostileTexts.map((text) => `/${text}`),
);
const patchOperations = fc.array(
  fc.record(
    {
      op: fc.constantFrom('add', 'remove', 'replace', 'move', 'copy', 'test', 'nope'),
      path: pointer,
      from: pointer,
      value: fc.oneof(hostileScalars, anyJson),
    },
    { requiredKeys: ['op'] },
  ),
  { maxLength: 5 },
);

/** Bodies that are costly to read: deep, long, and with repetitions that grow. */
const extremes = fc.oneof(
  fc
    .tuple(
      fc.constantFrom('[', '{"a":', '{"spec":', '- ', '{"metadata":{"labels":'),
      fc.integer({ min: 1, max: 30_000 }),
    )
    .map(([piece, times]) => Buffer.from(piece.repeat(times))),
  fc
    .integer({ min: 1, max: 12_000 })
    .map((depth) => Buffer.from(`{"data":${'{"a":'.repeat(depth)}1${'}'.repeat(depth)}}`)),
  fc.integer({ min: 1, max: 3_300_000 }).map((length) => Buffer.from(`{"data":{"a":"${'x'.repeat(length)}"}}`)),
  fc.constant(
    Buffer.from(
      `a: &a [x,x,x,x,x,x,x,x,x]\n${['b', 'c', 'd', 'e', 'f', 'g', 'h'].map((name, index) => `${name}: &${name} [${Array.from({ length: 9 }, () => `*${'abcdefg'[index]}`).join(',')}]`).join('\n')}\n`,
    ),
  ),
  fc
    .constantFrom(
      '{"metadata":{"name":1e400}}',
      '{"spec":{"replicas":9007199254740993}}',
      '{"a":-0,"a":1E-999}',
      '!!js/function x',
      '{a: *b}',
      '\ufeff{}',
      '{"\\ud800":1}',
      'null',
      'undefined',
      '---\n---\n',
    )
    .map((text) => Buffer.from(text)),
);

function bytesOf(value: unknown): Buffer {
  return Buffer.from(JSON.stringify(value) ?? '');
}

/** One request in four is any request whatever; the others are aimed at those places. */
export function hostileRequests(targets: readonly Target[]): fc.Arbitrary<HostileRequest> {
  return fc.oneof({ weight: 1, arbitrary: anyRequest }, { weight: 3, arbitrary: aimed(targets) });
}
