import { basicParts } from '../../host/probe/basic-credentials.ts';
import type { Environment } from '../settings/environment.ts';

/**
 * What git's environment needs so that the user and the password in the address of a remote stand in no command line:
 * git would hand the whole address to `git-remote-https`, where `ps` shows it to everybody. The address is read without
 * them, and a credential helper says them (gitcredentials(7)); git before 2.31 does as before.
 */
export function addressCredentials(addresses: readonly string[], environment: Environment): Environment {
  const found = [...new Set(addresses)].flatMap(inAddress);
  const before = Number(environment.GIT_CONFIG_COUNT ?? 0);
  const entries = found.flatMap(({ address, bare, origin }, index) => [
    [`url.${bare}.insteadOf`, address],
    [`credential.${origin}.helper`, helper(index)],
  ]);
  if (entries.length === 0) return {};
  return {
    GIT_CONFIG_COUNT: String(before + entries.length),
    ...Object.fromEntries(
      entries.flatMap(([key = '', value = ''], index) => [
        [`GIT_CONFIG_KEY_${before + index}`, key],
        [`GIT_CONFIG_VALUE_${before + index}`, value],
      ]),
    ),
    ...Object.fromEntries(
      found.flatMap(({ user, password }, index) => [
        [`HOLDFAST_REMOTE_USER_${index}`, user],
        [`HOLDFAST_REMOTE_PASSWORD_${index}`, password],
      ]),
    ),
  };
}

interface Found {
  readonly address: string;
  /** The address without user and password. */
  readonly bare: string;
  readonly origin: string;
  readonly user: string;
  readonly password: string;
}

/** A line break would end the value in the protocol of the helpers. */
function inAddress(address: string): readonly Found[] {
  const url = URL.parse(address);
  if (url === null || !/^https?:$/.test(url.protocol)) return [];
  const parts = basicParts(url);
  if (parts === undefined || /[\0\r\n]/.test(parts.user + parts.password)) return [];
  const bare = address.replace(/^([^:]+:\/\/)[^/?#]*@/, '$1');
  return [{ address, bare, origin: url.origin, ...parts }];
}

const helper = (index: number): string =>
  `!f() { test "$1" != get || printf 'username=%s\\npassword=%s\\n' "$HOLDFAST_REMOTE_USER_${index}" "$HOLDFAST_REMOTE_PASSWORD_${index}"; }; f`;
