import type { NodePool } from '../../cluster/autoscaler.ts';
import type { Located } from './located.ts';

/** The node classes of NodePools that are not among these manifests, one sentence each: a rehearsal has them, Ready, and a cluster without them makes no node. */
export function missingNodeClasses(located: readonly Located[]): readonly string[] {
  return located.flatMap(({ object, file, lineOf }) => {
    if (object.kind !== 'NodePool') return [];
    const { kind, name } = (object as NodePool).spec.template.spec.nodeClassRef;
    if (located.some((other) => other.object.kind === kind && other.object.metadata.name === name)) return [];
    const place = `${file}:${lineOf(['spec', 'template', 'spec', 'nodeClassRef'])}`;
    return [
      `${place}: ${kind} ${name} is not among these manifests: it is assumed to be there and Ready. Without it NodePool ${object.metadata.name} makes no node.`,
    ];
  });
}
