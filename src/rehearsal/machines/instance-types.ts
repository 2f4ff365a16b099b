import type { Quantities } from '../../cluster/metadata.ts';

/** An EC2 instance type: two Graviton families of generation 8, and one that is not arm64. */
export interface InstanceType {
  readonly name: string;
  readonly architecture: 'arm64' | 'amd64';
  readonly category: string;
  readonly generation: number;
  readonly vcpus: number;
  readonly memoryGib: number;
  /** Addresses that the VPC CNI can give out: ENIs × (addresses − 1) + 2. */
  readonly pods: number;
  /** On demand, us-east-1. Only the order of types matters. */
  readonly dollarsAnHour: number;
}

const sizes = [
  { size: 'medium', vcpus: 1, pods: 8 },
  { size: 'large', vcpus: 2, pods: 29 },
  { size: 'xlarge', vcpus: 4, pods: 58 },
  { size: '2xlarge', vcpus: 8, pods: 58 },
  { size: '4xlarge', vcpus: 16, pods: 234 },
] as const;

function family(
  name: string,
  architecture: 'arm64' | 'amd64',
  gibPerVcpu: number,
  dollarsPerVcpu: number,
): InstanceType[] {
  return sizes.map(({ size, vcpus, pods }) => ({
    name: `${name}.${size}`,
    architecture,
    category: name.slice(0, 1),
    generation: Number(name.slice(1, 2)),
    vcpus,
    memoryGib: vcpus * gibPerVcpu,
    pods,
    dollarsAnHour: vcpus * dollarsPerVcpu,
  }));
}

/** Cheapest first. */
export const instanceTypes: readonly InstanceType[] = [
  ...family('r8g', 'arm64', 8, 0.0589),
  ...family('m8g', 'arm64', 4, 0.0449),
  ...family('r7i', 'amd64', 8, 0.0662),
].sort((a, b) => a.dollarsAnHour - b.dollarsAnHour);

export function instanceType(name: string): InstanceType | undefined {
  return instanceTypes.find((type) => type.name === name);
}

export function capacityOf(type: InstanceType): Quantities {
  return {
    cpu: String(type.vcpus),
    memory: `${type.memoryGib * 1024 * 1024}Ki`,
    'ephemeral-storage': '20Gi',
    pods: String(type.pods),
  };
}

/** Capacity less the EKS AMI's reservations: 60 millicores; 255 MiB + 11 MiB a pod; 100 MiB eviction threshold. */
export function allocatableOf(type: InstanceType): Quantities {
  const reservedKib = (255 + 11 * type.pods + 100) * 1024;
  return {
    cpu: `${type.vcpus * 1000 - 60}m`,
    memory: `${type.memoryGib * 1024 * 1024 - reservedKib}Ki`,
    'ephemeral-storage': '18Gi',
    pods: String(type.pods),
  };
}
