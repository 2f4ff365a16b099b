import { readFileSync } from 'node:fs';
import { gunzipSync } from 'node:zlib';

/** A schema of Kubernetes' OpenAPI document, version 2, or of a CustomResourceDefinition. */
export interface Schema {
  readonly type?: string;
  readonly format?: string;
  /** The name of a definition. */
  readonly $ref?: string;
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly additionalProperties?: Schema | boolean;
  readonly items?: Schema;
  readonly required?: readonly string[];
  readonly enum?: readonly unknown[];
  readonly pattern?: string;
  readonly minimum?: number;
  readonly maximum?: number;
  readonly multipleOf?: number;
  readonly exclusiveMinimum?: boolean;
  readonly exclusiveMaximum?: boolean;
  readonly nullable?: boolean;
  readonly oneOf?: readonly Schema[];
  readonly anyOf?: readonly Schema[];
  readonly minItems?: number;
  readonly maxItems?: number;
  readonly minLength?: number;
  readonly maxLength?: number;
  readonly maxProperties?: number;
  readonly default?: unknown;
  /**
   * The value that Go's types have if nothing was sent: of a struct that is no pointer `{}`, of a member that is always
   * written 0, "", false or [].
   */
  readonly zero?: unknown;
  readonly 'x-kubernetes-list-type'?: string;
  readonly 'x-kubernetes-list-map-keys'?: readonly string[];
  readonly 'x-kubernetes-map-type'?: string;
  readonly 'x-kubernetes-patch-merge-key'?: string;
  readonly 'x-kubernetes-patch-strategy'?: string;
  readonly 'x-kubernetes-int-or-string'?: boolean;
  readonly 'x-kubernetes-preserve-unknown-fields'?: boolean;
  readonly 'x-kubernetes-validations'?: readonly Rule[];
}

/** A rule in CEL (Kubernetes documentation, "Validation rules"). */
export interface Rule {
  readonly rule: string;
  readonly message?: string;
  /** In CEL too: makes the words of a refusal. */
  readonly messageExpression?: string;
}

/** What a kube-apiserver 1.34.4 with Karpenter's definitions says about its types, without the descriptions. */
interface Definitions {
  /** The name of a definition by apiVersion and kind, such as `apps/v1 Deployment`. */
  readonly kinds: Readonly<Record<string, string | undefined>>;
  readonly definitions: Readonly<Record<string, Schema | undefined>>;
  /** The schemas of custom resources, by apiVersion and kind. */
  readonly custom: Readonly<Record<string, Schema | undefined>>;
}

const file = new URL('definitions.json.gz', import.meta.url);
let read: Definitions | undefined;

/** Read at the first use: a server that nobody sends a body to never needs them. */
function definitions(): Definitions {
  read ??= JSON.parse(gunzipSync(readFileSync(file)).toString('utf8')) as Definitions;
  return read;
}

/** The definition of that name; of an unknown one nothing is known. */
export function definitionOf(name: string): Schema {
  return definitions().definitions[name] ?? {};
}

/** The name of the definition of a built-in kind. */
export function definitionName(apiVersion: string, kind: string): string | undefined {
  return definitions().kinds[`${apiVersion} ${kind}`];
}

/** The schema of one of Karpenter's kinds. */
export function recordedCustomSchema(apiVersion: string, kind: string): Schema | undefined {
  return definitions().custom[`${apiVersion} ${kind}`];
}
