/** How often each word occurs: `2 × Executing, 1 × Verifying`. */
export const counted = (words: readonly string[]): string =>
  [...new Set(words)].map((word) => `${words.filter((other) => other === word).length} × ${word}`).join(', ');
