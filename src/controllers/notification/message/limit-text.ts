import { clip } from '../../../base/index.ts';

/** The text, cut to what a provider takes; a cut text ends with a note on where the whole is. */
export function limitText(text: string, most: number, whole: string): string {
  if (text.length <= most) return text;
  const note = `\n[cut: the whole: ${whole}]`;
  return `${clip(text, Math.max(1, most - note.length))}${note}`;
}
