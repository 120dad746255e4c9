/** Makes a call for each of the items, so many at a time. */
export async function inFlight<T>(items: readonly T[], atATime: number, call: (item: T) => Promise<unknown>): Promise<void> {
  const left = items.values();
  const worker = async (): Promise<void> => {
    for (const item of left) await call(item);
  };
  await Promise.all(Array.from({ length: atATime }, worker));
}
