import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Host } from '../../../src/host/host.ts';
import { validationSchema } from '../../../src/validation/settings.ts';
import { rehearse } from '../../support/rehearse.ts';

const day = 24 * 3600 * 1000;
const { monitor } = validationSchema.parse({});

/** Whoever answers shows a certificate that ends five days from now. */
const withCertificate = (host: Host): Host => ({
  ...host,
  async probe(...asked) {
    const sample = await host.probe(...asked);
    return sample.error === undefined ? { ...sample, certificateEndsAt: sample.at + 5.5 * day } : sample;
  },
});

test('a certificate that ends soon is a finding too of an application that the run itself applies', async (t) => {
  const { result } = await rehearse(t, {
    scenarios: [],
    settings: { url: 'https://app.example.com/', monitor: { ...monitor, insecure: true } },
    through: withCertificate,
  });
  const found = result.findings.filter(({ id }) => id === 'certificate');
  assert.deepEqual(
    found.map(({ severity, observed }) => [severity, observed]),
    [
      ['info', 'none was shown: nothing answers there yet'],
      ['warning', 'it ends 2026-01-06, in 5 days'],
    ],
  );
});
