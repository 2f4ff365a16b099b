import assert from 'node:assert/strict';
import { test } from 'node:test';
import { stringify } from 'yaml';
import { deployment, service } from '../../support/own-manifests.ts';
import { readOwnManifests } from '../../support/read-own-manifests.ts';

const read = async (way: object) => {
  const own = await readOwnManifests([deployment(), service(), way].map((one) => stringify(one)).join('---\n'));
  assert.ok('application' in own, JSON.stringify(own));
  const { application, frontDoor, notRehearsed } = own;
  const { name, host, path, isTls } = application;
  return { name, host, path, isTls, frontDoor, told: notRehearsed.map(({ what }) => what).join('; ') };
};

test('an IngressRoute of Traefik leads to its Service', async () => {
  const way = {
    apiVersion: 'traefik.io/v1alpha1',
    kind: 'IngressRoute',
    metadata: { name: 'shop' },
    spec: {
      entryPoints: ['websecure'],
      tls: {},
      routes: [
        {
          kind: 'Rule',
          match: 'Host(`shop.example.com`) && PathPrefix(`/cart`)',
          services: [{ name: 'shop', port: 80 }],
        },
      ],
    },
  };
  const asked = { name: 'shop-web', host: 'shop.example.com', path: '/cart', isTls: true };
  assert.deepEqual(await read(way), { ...asked, frontDoor: 'traefik', told: '' });
});

test('a VirtualService of Istio leads to its Service, and ingress-nginx stands in', async () => {
  const way = {
    apiVersion: 'networking.istio.io/v1',
    kind: 'VirtualService',
    metadata: { name: 'shop' },
    spec: {
      hosts: ['shop.example.com'],
      gateways: ['istio-system/edge'],
      http: [{ route: [{ destination: { host: 'shop.default.svc.cluster.local' } }] }],
    },
  };
  const { told, ...others } = await read(way);
  const asked = { name: 'shop-web', host: 'shop.example.com', path: '/', isTls: false };
  assert.deepEqual(others, { ...asked, frontDoor: 'ingress-nginx' });
  assert.match(told, /^VirtualService shop is served by Istio, which is not rehearsed as it behaves/);
});

test('a VirtualServer of NGINX Inc. leads to the Service of its upstream', async () => {
  const way = {
    apiVersion: 'k8s.nginx.org/v1',
    kind: 'VirtualServer',
    metadata: { name: 'shop' },
    spec: {
      host: 'shop.example.com',
      upstreams: [{ name: 'web', service: 'shop', port: 80 }],
      routes: [{ path: '/', action: { pass: 'web' } }],
    },
  };
  const { told, ...others } = await read(way);
  const asked = { name: 'shop-web', host: 'shop.example.com', path: '/', isTls: false };
  assert.deepEqual(others, { ...asked, frontDoor: 'ingress-nginx' });
  assert.match(told, /^VirtualServer shop is served by NGINX Ingress Controller of NGINX Inc\./);
});
