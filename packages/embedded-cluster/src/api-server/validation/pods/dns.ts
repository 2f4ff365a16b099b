import { isJson, type Json } from '../../../objects/json.ts';
import { type FieldCause, fieldCauses } from '../../refusals.ts';
import { addressCauses, formatCauses, formats, requiredCauses, when } from '../formats.ts';
import { itemsOf } from './containers.ts';

const mostServers = 3;
const mostSearchPaths = 32;
const longestSearchList = 2048;

/**
 * The errors in how a pod resolves names (kubernetes, pkg/apis/core/validation, validatePodDNSConfig and
 * ValidateHostAliases).
 */
export function dnsCauses({ dnsConfig, dnsPolicy }: Json, field: string): readonly FieldCause[] {
  const at = `${field}.dnsConfig`;
  const own = dnsPolicy === 'None';
  if (!isJson(dnsConfig))
    return when(own, fieldCauses.required(at, 'must provide `dnsConfig` when `dnsPolicy` is None'));
  const servers = textsOf(dnsConfig.nameservers);
  if (own && servers.length === 0) {
    const why = 'must provide at least one DNS nameserver when `dnsPolicy` is None';
    return [fieldCauses.required(`${at}.nameservers`, why)];
  }
  const many = `must not have more than ${mostServers} nameservers`;
  return [
    ...when(servers.length > mostServers, fieldCauses.invalid(`${at}.nameservers`, servers, many)),
    ...servers.flatMap((server, index) => addressCauses(`${at}.nameservers[${index}]`, server)),
    ...searchCauses(textsOf(dnsConfig.searches), `${at}.searches`),
    ...itemsOf(dnsConfig.options).flatMap(({ name }, index) =>
      requiredCauses(`${at}.options[${index}]`, name, 'must not be empty'),
    ),
  ];
}

function searchCauses(searches: readonly string[], field: string): readonly FieldCause[] {
  const many = `must not have more than ${mostSearchPaths} search paths`;
  const long = `must not have more than ${longestSearchList} characters (including spaces) in the search list`;
  return [
    ...when(searches.length > mostSearchPaths, fieldCauses.invalid(field, searches, many)),
    ...when(searches.join(' ').length > longestSearchList, fieldCauses.invalid(field, searches, long)),
    ...searches.flatMap((search, index) =>
      search === '.'
        ? []
        : formatCauses(`${field}[${index}]`, search.replace(/\.$/, ''), formats.subdomainWithUnderscore),
    ),
  ];
}

export function hostAliasCauses(aliases: readonly Json[], field: string): readonly FieldCause[] {
  return aliases.flatMap(({ ip = '', hostnames }, index) => [
    ...addressCauses(`${field}[${index}].ip`, ip),
    ...textsOf(hostnames).flatMap((name, place) =>
      formatCauses(`${field}[${index}].hostnames[${place}]`, name, formats.subdomain),
    ),
  ]);
}

const textsOf = (list: unknown): readonly string[] => (Array.isArray(list) ? list.map(String) : []);
