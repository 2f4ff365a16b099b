import type { Quantities } from '../kubernetes/metadata.ts';
import table from './ec2-instance-types.json' with { type: 'json' };

/** An EC2 instance type. */
export interface InstanceType {
  readonly name: string;
  readonly architecture: 'arm64' | 'amd64';
  readonly vcpus: number;
  readonly memoryMib: number;
  /** Addresses that the VPC CNI can give out: ENIs × (addresses − 1) + 2. */
  readonly pods: number;
  readonly gpus: Quantities;
  /** On demand, us-east-1. Only the order of types matters. */
  readonly dollarsAnHour: number;
  /** What its nodes are labelled as: `karpenter.k8s.aws/instance-…`, architecture, operating system and type. */
  readonly labels: Readonly<Record<string, string>>;
}

interface Family {
  readonly architecture: string;
  readonly manufacturer: string;
  readonly hypervisor?: string;
  readonly encryptsInTransit: boolean;
  readonly flex: boolean;
  readonly category: string;
  readonly generation: number;
  /** By size: the values of the table's columns, `-` where there is none. */
  readonly sizes: Readonly<Record<string, string>>;
}

const families: Readonly<Record<string, Family>> = table.families;
const columns = table.columns.split(' ');

function typesOf(name: string, family: Family): readonly InstanceType[] {
  return Object.entries(family.sizes).map(([size, row]) => {
    const values = row.split(' ');
    const has = Object.fromEntries(columns.map((column, index) => [column, values[index] ?? '-']));
    return {
      name: `${name}.${size}`,
      architecture: family.architecture === 'arm64' ? 'arm64' : 'amd64',
      vcpus: Number(has.vcpus),
      memoryMib: Number(has.memoryMib),
      pods: Number(has.pods),
      dollarsAnHour: Number(has.dollarsAnHour),
      gpus: has.gpus === '-' ? {} : { [`${has.gpuManufacturer}.com/gpu`]: has.gpus ?? '' },
      labels: labelsOf(name, family, size, has),
    };
  });
}

function labelsOf(
  name: string,
  family: Family,
  size: string,
  has: Readonly<Record<string, string>>,
): Readonly<Record<string, string>> {
  const labels = {
    category: family.category,
    family: name,
    generation: String(family.generation),
    size,
    cpu: has.vcpus,
    memory: has.memoryMib,
    hypervisor: family.hypervisor ?? '-',
    'capability-flex': String(family.flex),
    'cpu-manufacturer': family.manufacturer,
    'cpu-sustained-clock-speed-mhz': has.clockMhz,
    'ebs-bandwidth': has.ebsMbps,
    'encryption-in-transit-supported': String(family.encryptsInTransit),
    'local-nvme': has.localNvmeGib,
    'network-bandwidth': has.networkMbps,
    'gpu-count': has.gpus,
    'gpu-manufacturer': has.gpuManufacturer,
    'gpu-memory': has.gpuMemoryMib,
    'gpu-name': has.gpuName,
    tenancy: 'default',
  };
  const known = Object.entries(labels).filter(([, value]) => value !== '-');
  return {
    ...Object.fromEntries(known.map(([key, value = '']) => [`karpenter.k8s.aws/instance-${key}`, value])),
    'kubernetes.io/arch': family.architecture,
    'kubernetes.io/os': 'linux',
    'node.kubernetes.io/instance-type': `${name}.${size}`,
  };
}

const cheapestFirst = (types: readonly InstanceType[]): readonly InstanceType[] =>
  types.toSorted((a, b) => a.dollarsAnHour - b.dollarsAnHour);

/** Up to 16 virtual CPUs of two Graviton families, and of one that is not arm64; cheapest first. */
export const instanceTypes: readonly InstanceType[] = cheapestFirst(
  ['r8g', 'm8g', 'r7i'].flatMap((name) => typesOf(name, families[name] as Family)).filter(({ vcpus }) => vcpus <= 16),
);

let every: readonly InstanceType[] | undefined;

/** The types of EC2 that somebody's own node pool may name, up to 64 virtual CPUs, cheapest first. */
export function everyInstanceType(): readonly InstanceType[] {
  every ??= cheapestFirst(Object.entries(families).flatMap(([name, family]) => typesOf(name, family)));
  return every;
}

export function instanceType(name: string): InstanceType | undefined {
  return instanceTypes.find((type) => type.name === name) ?? everyInstanceType().find((type) => type.name === name);
}

export function capacityOf(type: InstanceType): Quantities {
  return {
    cpu: String(type.vcpus),
    memory: `${type.memoryMib * 1024}Ki`,
    'ephemeral-storage': '20Gi',
    pods: String(type.pods),
    ...type.gpus,
  };
}

/** Capacity less the EKS AMI's reservations: 60 millicores; 255 MiB + 11 MiB a pod; 100 MiB eviction threshold. */
export function allocatableOf(type: InstanceType): Quantities {
  const reservedMib = 255 + 11 * type.pods + 100;
  return {
    cpu: `${type.vcpus * 1000 - 60}m`,
    memory: `${Math.max(type.memoryMib - reservedMib, 0) * 1024}Ki`,
    'ephemeral-storage': '18Gi',
    pods: String(type.pods),
    ...type.gpus,
  };
}
