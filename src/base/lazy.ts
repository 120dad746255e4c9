/** What `make` makes, made when it is first asked for and kept. For costly constants: `make` must depend on nothing that changes. */
export function lazy<T>(make: () => T): () => T {
  let made: { readonly value: T } | undefined;
  return () => (made ??= { value: make() }).value;
}
