/** The processor time of an action, in seconds: the same on a busy machine. */
export async function processorSeconds(deed: () => Promise<unknown>): Promise<number> {
  const before = process.cpuUsage();
  await deed();
  const { user, system } = process.cpuUsage(before);
  return (user + system) / 1e6;
}
