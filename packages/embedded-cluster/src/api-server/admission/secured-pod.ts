import { isJson, type Json } from '../../objects/json.ts';
import { itemsOf } from '../validation/pods/containers.ts';

/** A pod as the checks of PodSecurity look at it. */
export interface SecuredPod {
  readonly spec: Json;
  readonly containers: readonly SecuredContainer[];
  /** The security context of the pod. */
  readonly security: Json;
}
export interface SecuredContainer {
  readonly name: string;
  readonly security: Json;
  readonly whole: Json;
}
/** What a pod does against one rule, in the words of the plugin. */
export type Check = (pod: SecuredPod) => readonly string[];

export const jsonOf = (value: unknown): Json => (isJson(value) ? value : {});
export const listOf = (value: unknown): readonly string[] => (Array.isArray(value) ? value.map(String) : []);

export function securedPod(spec: Json): SecuredPod {
  const containers = ['initContainers', 'containers', 'ephemeralContainers'].flatMap((list) =>
    itemsOf(spec[list]).map((whole) => ({
      name: String(whole.name),
      security: jsonOf(whole.securityContext),
      whole,
    })),
  );
  return { spec, containers, security: jsonOf(spec.securityContext) };
}

/** `container "a"`, or `containers "a", "b"`. */
export function named(containers: readonly SecuredContainer[]): string {
  const names = containers.map(({ name }) => JSON.stringify(name)).join(', ');
  return `container${containers.length === 1 ? '' : 's'} ${names}`;
}

/** One check of containers: what is said of those that fail. */
export const ofContainers =
  (fails: (container: SecuredContainer) => boolean, words: (who: string) => string): Check =>
  ({ containers }) => {
    const failing = containers.filter(fails);
    return failing.length === 0 ? [] : [words(named(failing))];
  };

export const addedBy = ({ security }: SecuredContainer): readonly string[] => listOf(jsonOf(security.capabilities).add);

/** The type of a seccomp profile. */
export const profileType = (security: Json): unknown => jsonOf(security.seccompProfile).type;
