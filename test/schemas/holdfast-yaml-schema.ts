import { join } from 'node:path';
import * as z from 'zod';
import { deploymentSchema, monitorNotifiers } from '../../src/deployment/settings/schema.ts';
import { edgesInterval } from '../../src/settings/edges-interval.ts';
import { podSelector } from '../../src/settings/pod-selector.ts';
import { probeDuration } from '../../src/settings/probe-duration.ts';
import { duration } from '../../src/settings/read-settings.ts';
import { validationSchema } from '../../src/validation/settings.ts';
import { describeSettings } from './described-settings.ts';

export const holdfastYamlPath = join(import.meta.dirname, '../../schemas/holdfast-yaml.schema.json');

/** The JSON Schema of `holdfast.yaml` as people write it, made from what the program reads it with. */
export function holdfastYamlSchema(): object {
  const file = z.strictObject({
    validation: validationSchema.exactOptional().describe('Area A: validate and rehearse.'),
    deployment: deploymentSchema.exactOptional().describe('Area B: deploy.'),
    monitor: monitorNotifiers.exactOptional().describe('Who gets messages about outages: monitor.'),
  });
  const { $schema, ...schema } = z.toJSONSchema(file, { io: 'input', override: sharpen });
  describeSettings(schema);
  return { $schema, title: 'holdfast.yaml', ...schema };
}

const fromEnvironment = '.*\\$\\{[A-Za-z_]\\w*\\}.*';

const equality = ' *[A-Za-z0-9][-A-Za-z0-9_./]* *==? *[-A-Za-z0-9_.]* *';

/**
 * Durations and selectors have their pattern; a word from the environment may stand for them, and for a number as for
 * any text.
 */
function sharpen({ zodSchema, jsonSchema }: { zodSchema: z.core.$ZodTypes; jsonSchema: z.core.JSONSchema.BaseSchema }) {
  if ((zodSchema as unknown) === duration) {
    jsonSchema.pattern = `^((\\d+(\\.\\d+)?(ms|s|m|h))+|${fromEnvironment})$`;
    jsonSchema.description = 'A duration: 500ms, 10s, 2m, 1h30m.';
  }
  if ((zodSchema as unknown) === probeDuration) {
    jsonSchema.pattern = `^((?=.*[1-9])(\\d+(\\.\\d+)?(ms|s|m|h))+|${fromEnvironment})$`;
    jsonSchema.description = 'A duration of 10ms or longer: 500ms, 10s, 2m, 1h30m.';
  }
  if ((zodSchema as unknown) === edgesInterval) {
    jsonSchema.anyOf = [
      { type: 'string', pattern: `^((\\d+(\\.\\d+)?(ms|s|m|h))+|0|${fromEnvironment})$` },
      { const: 0 },
    ];
    jsonSchema.description = 'A duration of 10ms or longer, or 0 for none.';
  }
  if ((zodSchema as unknown) === podSelector) {
    jsonSchema.pattern = `^(${equality}(,${equality})*|${fromEnvironment})$`;
    jsonSchema.description = 'Labels of pods: key=value or key==value, several joined by commas.';
  }
  withCurlNames(jsonSchema);
  const pattern = numbers[jsonSchema.format ?? ''];
  if (pattern === undefined) return;
  delete jsonSchema.format;
  jsonSchema.pattern = `^(${pattern}|${fromEnvironment})$`;
}

/**
 * The options of a request may also have curl's names, which are the flags' (docs/settings.md, "A request’s options").
 */
function withCurlNames({ properties }: z.core.JSONSchema.BaseSchema) {
  if (properties?.headers === undefined || properties.maxRedirs === undefined) return;
  const text = { type: 'string' } as const;
  const { headers, maxRedirs, bodyContains, resolve } = properties;
  properties.header = { anyOf: [text, headers as z.core.JSONSchema.BaseSchema] };
  properties['max-redirs'] = maxRedirs;
  if (bodyContains !== undefined) properties['body-contains'] = bodyContains;
  if (resolve !== undefined) properties.resolve = { anyOf: [text, resolve as z.core.JSONSchema.BaseSchema] };
}

/** Numbers that may come from the environment: formats that JSON Schema does not know. */
const numbers: Readonly<Record<string, string>> = { count: '[1-9]\\d*', rate: '\\d+(\\.\\d+)?' };
