/**
 * Runs without writing down where each error came from, which costs more than most of what a simulated server does: every 404 is an error.
 * A sum of many runs does not need it; a single seed has it.
 */
export async function withoutStacks<T>(work: () => Promise<T>): Promise<T> {
  const depth = Error.stackTraceLimit;
  Error.stackTraceLimit = 0;
  try {
    return await work();
  } finally {
    Error.stackTraceLimit = depth;
  }
}
