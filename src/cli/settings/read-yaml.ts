import { UsageError } from '../../host/errors.ts';

/** The value of a YAML or JSON file; text that is neither is a `UsageError` that names it. */
export async function readYaml(path: string, text: string): Promise<unknown> {
  const { plainValue, yaml } = await import('./plain-value.ts');
  const lineCounter = new yaml.LineCounter();
  const document = yaml.parseDocument(text, { lineCounter });
  if (document.errors.length > 0)
    throw new UsageError(
      document.errors.map(({ message }) => `${path} is not valid YAML: ${message.split('\n')[0]?.replace(/:$/, '')}.`),
    );
  const placeOf = (offset: number) => `${path}:${lineCounter.linePos(offset).line}`;
  const read = plainValue(document, { placeOf });
  if ('mistake' in read) throw new UsageError([read.mistake]);
  return read.value;
}
