import type { Secret } from '../../../../../api/builtin/index.ts';

/** What stands where something secret stood. */
const HIDDEN = '********';

/** A shorter text is taken for secret only where it stands alone: "1" is in too many words. */
const SHORTEST_PART = 4;

/** Tokens of ServiceAccounts: ours is not kept anywhere, so that it is known by its looks. */
const TOKEN = /\beyJ[\w-]{8,}\.[\w-]+\.[\w-]+/g;

/** Colours, and whatever else a terminal would not show. */
// oxlint-disable-next-line no-control-regex -- escape sequences begin with a control character
const UNSEEN = /\u001B\[[0-9;]*[A-Za-z]|[\u0000-\u0008\u000B-\u001F]/g;

/** All that the Secrets say, also line by line and as it would be written elsewhere. */
export function secretTexts(secrets: readonly Secret[]): readonly string[] {
  const values = secrets.flatMap(({ data = {} }) => Object.values(data));
  const texts = values.flatMap((encoded) => {
    const plain = Buffer.from(encoded, 'base64').toString();
    return [plain, plain.trim(), ...plain.split(/\r?\n/), encoded, encodeURIComponent(plain), JSON.stringify(plain).slice(1, -1)];
  });
  return [...new Set(texts.filter((text) => text.trim() !== ''))].toSorted((a, b) => b.length - a.length);
}

/** The text without any of the secrets in it. */
export function redact(text: string, secrets: readonly string[]): string {
  const plain = text.replaceAll(UNSEEN, '').replaceAll(TOKEN, HIDDEN);
  return secrets.reduce((left, secret) => left.replaceAll(patternOf(secret), HIDDEN), plain);
}

function patternOf(secret: string): RegExp {
  const literal = secret.replaceAll(/[$()*+.?[\\\]^{|}]/g, String.raw`\$&`);
  return secret.length >= SHORTEST_PART ? new RegExp(literal, 'g') : new RegExp(String.raw`(?<![\w*])${literal}(?![\w*])`, 'g');
}
