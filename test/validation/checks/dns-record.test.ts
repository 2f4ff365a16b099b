import { test } from 'node:test';
import { dnsRecord } from '../../../src/validation/checks/dns-record.ts';
import { apiSite } from '../../support/api-site.ts';
import { fine, wrong } from '../../support/checked.ts';

const service = (spec: object, ingress?: readonly object[]) => ({
  apiVersion: 'v1',
  kind: 'Service',
  metadata: { namespace: 'ingress-nginx', name: 'ingress-nginx-controller' },
  spec: { ports: [{ port: 80 }], ...spec },
  ...(ingress && { status: { loadBalancer: { ingress } } }),
});

const balanced = service({ type: 'LoadBalancer' }, [{ hostname: 'k8s-1.elb.us-east-1.amazonaws.com' }]);

const ingress = {
  apiVersion: 'networking.k8s.io/v1',
  kind: 'Ingress',
  metadata: { namespace: 'default', name: 'nginx-test' },
  spec: { defaultBackend: { service: { name: 'nginx-test', port: { number: 80 } } } },
};

test('the name must resolve to the load balancer; without an Ingress it may not resolve', () =>
  apiSite(async (at) => {
    await at.put(balanced);
    at.names.set('k8s-1.elb.us-east-1.amazonaws.com', ['192.0.2.1', '192.0.2.2']);
    await fine(dnsRecord, at, /does not resolve yet \(NXDOMAIN\), and there is no Ingress yet/);
    await at.put(ingress);
    await wrong(
      dnsRecord,
      at,
      /app\.example\.com/,
      /does not resolve \(NXDOMAIN\), and Ingress default\/nginx-test is there/,
    );
    at.names.set('app.example.com', ['198.51.100.9']);
    await wrong(
      dnsRecord,
      at,
      /app\.example\.com/,
      /resolves to 198\.51\.100\.9, and the load balancer is 192\.0\.2\.1/,
    );
    at.names.set('app.example.com', ['192.0.2.2']);
    await fine(dnsRecord, at, /it resolves to 192\.0\.2\.2/);
  }));

test('a name that resolves while the load balancer has no address is not as expected', () =>
  apiSite(async (at) => {
    at.names.set('app.example.com', ['198.51.100.9']);
    await wrong(
      dnsRecord,
      at,
      /app\.example\.com/,
      /^it resolves to 198\.51\.100\.9; the load balancer has no address$/,
    );
  }));

test('a resolver that is silent or refuses is not as expected, whether or not there is an Ingress', () =>
  apiSite(async (at) => {
    await at.put(balanced);
    const refused = async (code: 'SERVFAIL' | 'TIMEOUT', words: RegExp) => {
      at.silent.set('app.example.com', code);
      await wrong(dnsRecord, at, /app\.example\.com/, words);
    };
    await refused('TIMEOUT', /^the resolver of this machine did not answer for app\.example\.com \(TIMEOUT\)$/);
    await refused('SERVFAIL', /refused or failed to answer for app\.example\.com \(SERVFAIL\)$/);
    await at.put(ingress);
    await refused('TIMEOUT', /did not answer/);
    at.silent.clear();
    at.names.set('app.example.com', ['192.0.2.2']);
    at.silent.set('k8s-1.elb.us-east-1.amazonaws.com', 'TIMEOUT');
    await wrong(dnsRecord, at, /app\.example\.com/, /did not answer for k8s-1\.elb\.us-east-1\.amazonaws\.com/);
  }));
