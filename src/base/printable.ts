/**
 * Text that a terminal shows and never obeys: a user who may write an object must not be able to move the cursor, set the title, or turn text around in the
 * terminal of those who read it. What is neither a new line nor a tab is shown as JSON writes it, so that JSON stays JSON.
 */
export const printable = (text: string): string =>
  // oxlint-disable-next-line no-control-regex -- control characters are what is looked for
  text.replaceAll(/[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u200e\u200f\u2028-\u202e\u2066-\u2069]/g, escaped);

const escaped = (sign: string): string => `\\u${sign.charCodeAt(0).toString(16).padStart(4, '0')}`;
