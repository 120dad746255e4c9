const HIDDEN = '********';

/** What is shorter is no credential, and would be found everywhere. */
const SHORTEST = 6;

/** A text that a provider wrote, without what it was sent in confidence: it goes into status, the log and the console. */
export function hideAll(text: string, secrets: readonly (string | undefined)[]): string {
  const known = secrets.filter((secret) => secret !== undefined && secret.length >= SHORTEST) as readonly string[];
  const forms = new Set(
    known.flatMap((secret) => [secret, unescaped(secret), JSON.stringify(secret).slice(1, -1), secret.replaceAll('/', '\\/')]),
  );
  return [...forms].toSorted((a, b) => b.length - a.length).reduce((left, form) => left.replaceAll(form, HIDDEN), text);
}

/** The parts of an address that are a credential: of an incoming webhook, all but its host. */
export const secretsOf = ({ pathname, search, username, password }: URL): readonly string[] => [
  `${pathname}${search}`,
  pathname,
  search.slice(1),
  ...pathname.split('/').filter((part) => part.length >= LONG_PART),
  username,
  password,
];

/** A part of a path that is so long is a token. */
const LONG_PART = 16;

function unescaped(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}
