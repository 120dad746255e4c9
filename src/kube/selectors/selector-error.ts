/** A selector that cannot be read. The message is the one kube-apiserver gives. */
export class SelectorError extends Error {
  override readonly name = 'SelectorError';
}
