import { type Directive, everyDirective } from './nginx-configuration.ts';

/** A cache of nginx's, which may answer in front of a site. */
export interface NginxCache {
  /** Such as `fastcgi_cache`, and the zone that it names. */
  readonly directive: string;
  readonly zone: string;
  /** Whether two addresses that differ in their query have two answers. */
  readonly hasQuery: boolean;
}

/** The caches that these directives switch on anywhere. */
export function cachesOf(directives: readonly Directive[]): readonly NginxCache[] {
  const all = everyDirective(directives);
  const on = all.filter(({ name, words }) => /^(?:fastcgi|proxy|uwsgi|scgi)_cache$/.test(name) && words[0] !== 'off');
  const found = on.map(({ name, words: [zone = ''] }) => {
    const keys = all.filter((each) => each.name === `${name}_key`).map(({ words }) => words.join(' '));
    return { directive: name, zone, hasQuery: keys.every((key) => query.test(key)) };
  });
  return [...new Map(found.map((cache) => [`${cache.directive} ${cache.zone}`, cache])).values()];
}

/** Without a key of its own `proxy_cache` has `$request_uri` in it (ngx_http_proxy_module). */
const query = /\$\{?(?:request_uri|args|query_string|arg_holdfast)\b/;
