/**
 * Runs without writing down where each error came from, which costs more than most of what a simulated server does: every 404 is an error.
 * Nobody reads it in a sum of many runs; a seed that is told alone has it.
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
