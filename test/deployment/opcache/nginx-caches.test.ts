import assert from 'node:assert/strict';
import { test } from 'node:test';
import { cachesOf } from '../../../src/deployment/opcache/find-web-servers.ts';
import { readDirectives } from '../../../src/deployment/opcache/nginx-configuration.ts';

const caches = (text: string) => cachesOf(readDirectives(text));

test('a cache of nginx is found wherever it is switched on, and whether its key has the query', () => {
  const text = `http { fastcgi_cache_path /c keys_zone=ONE:1m; server { fastcgi_cache_key "$scheme$host$request_uri"; proxy_cache_key $uri;
    location / { fastcgi_cache ONE; fastcgi_pass unix:/a; } location /api { proxy_cache TWO; } location /off { uwsgi_cache off; } } }`;
  assert.deepEqual(caches(text), [
    { directive: 'fastcgi_cache', zone: 'ONE', hasQuery: true },
    { directive: 'proxy_cache', zone: 'TWO', hasQuery: false },
  ]);
  assert.deepEqual(caches('proxy_cache TWO;'), [{ directive: 'proxy_cache', zone: 'TWO', hasQuery: true }]);
  assert.deepEqual(caches('fastcgi_cache ONE;'), [{ directive: 'fastcgi_cache', zone: 'ONE', hasQuery: false }]);
  const hasQuery = (more: string, key = '$uri$args') =>
    caches(`${more} proxy_cache_key ${key}; proxy_cache TWO;`)[0]?.hasQuery;
  assert.deepEqual(
    [hasQuery(''), hasQuery("set $args '';"), hasQuery('rewrite ^(.*)$ $1? last;')],
    [true, false, false],
  );
  assert.ok(hasQuery('rewrite ^ https://example.com$request_uri? permanent;'));
  assert.ok(hasQuery("set $args '';", '$request_uri'));
  assert.deepEqual(caches('location / { fastcgi_pass unix:/a; }'), []);
});
