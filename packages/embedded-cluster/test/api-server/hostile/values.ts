import fc from 'fast-check';

/** Names that objects of JavaScript have already. */
export const prototypeNames = [
  '__proto__',
  'constructor',
  'prototype',
  'toString',
  'hasOwnProperty',
  'valueOf',
  'then',
];

/** Texts that parsers, formats and tables may trip over. */
export const hostileTexts = fc.oneof(
  fc.string({ unit: 'binary', maxLength: 20 }),
  fc.constantFrom(...prototypeNames),
  fc.constantFrom(
    '',
    ' ',
    '0',
    '-1',
    '1e99',
    '100%',
    '-5%',
    '1Ei',
    '9'.repeat(40),
    'a/b/c',
    '*',
    '../..',
    '\u0000',
    '\ud800',
    'NaN',
    'null',
  ),
  fc.constantFrom(
    '2026-13-45T99:99:99Z',
    '0001-01-01T00:00:00Z',
    '::1',
    '10.0.0.0/99',
    '* * * * *',
    '@every 0s',
    'a'.repeat(300),
  ),
);

export const hostileScalars: fc.Arbitrary<unknown> = fc.oneof(
  hostileTexts,
  fc.constantFrom<unknown>(
    null,
    true,
    false,
    0,
    -1,
    1.5,
    1e308,
    -1e308,
    2 ** 31,
    2 ** 53,
    2 ** 53 + 2,
    -(2 ** 63),
    2 ** 64,
  ),
  fc.constantFrom<unknown>([], {}, [[]], [null], [{}], { '': {} }, { a: null }),
);

const keys = fc.oneof(
  fc.constantFrom(...prototypeNames),
  fc.constantFrom(
    'metadata',
    'name',
    'spec',
    'kind',
    'apiVersion',
    'labels',
    '$patch',
    '$retainKeys',
    '$setElementOrder/containers',
    '$deleteFromPrimitiveList/finalizers',
  ),
  fc.string({ unit: 'binary', maxLength: 6 }),
);

/** Any JSON, with the names that matter here. `__proto__` is a member like any other, as JSON.parse makes it. */
export const anyJson: fc.Arbitrary<unknown> = fc.letrec((tie) => ({
  value: fc.oneof({ maxDepth: 4 }, hostileScalars, fc.array(tie('value'), { maxLength: 4 }), tie('object')),
  object: fc.array(fc.tuple(keys, tie('value')), { maxLength: 5 }).map(Object.fromEntries),
})).value;
