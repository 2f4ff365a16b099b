import type { Files } from '../../host/host.ts';

/** The names under which Kustomize looks for its file (kustomize, `konfig.RecognizedKustomizationFileNames`). */
const kustomizations: readonly string[] = ['kustomization.yaml', 'kustomization.yml', 'Kustomization'];

/**
 * What to run first where a folder, or a file by its name, is the input of Helm or Kustomize and no manifest, one
 * sentence; undefined for anything else. `names` are those in the folder.
 */
export function folderToRender(path: string, names: readonly string[]): string | undefined {
  if (names.includes('Chart.yaml')) return `${path} is a Helm chart: ${renderedByHelm(path)}`;
  return names.some((name) => kustomizations.includes(name))
    ? `${path} is for Kustomize: ${renderedByKustomize(path)}`
    : undefined;
}

/** As `folderToRender`, of a file. */
export async function fileToRender(files: Pick<Files, 'stat'>, path: string): Promise<string | undefined> {
  const slash = path.lastIndexOf('/');
  const [name, folder] = [path.slice(slash + 1), slash < 0 ? '.' : path.slice(0, slash)];
  if (kustomizations.includes(name)) return `${path} is for Kustomize: ${renderedByKustomize(folder)}`;
  const isValues = /^values.*\.ya?ml$/.test(name);
  const isOfChart = isValues && (await files.stat(`${folder}/Chart.yaml`).catch(() => undefined)) !== undefined;
  return name === 'Chart.yaml' || isOfChart ? `${path} is of a Helm chart: ${renderedByHelm(folder)}` : undefined;
}

/** What to run where the file itself is a template. */
export function renderedTemplate(file: string): string {
  const at = file.lastIndexOf('/templates/');
  return renderedByHelm(at > 0 ? file.slice(0, at) : 'CHART');
}

const renderedByHelm = (folder: string): string => `run helm template NAME ${folder} | holdfast rehearse -f -.`;
const renderedByKustomize = (folder: string): string =>
  `run kustomize build ${folder} | holdfast rehearse -f - (or kubectl kustomize in its place).`;

/**
 * An action of Go's text/template as charts have them. Manifests may have it in a text, so that it counts only in what
 * cannot be read.
 */
export const helmAction = /\{\{-?\s*(\.|\$|\(|\/\*|(end|else)\b|[a-zA-Z]\w*\s+[^|\s}])/;
