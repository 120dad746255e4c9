/** A JSON pointer to a member of an object: `/metadata/annotations/kubernaut.ai~1undo`. */
export const pointer = (...members: readonly (string | number)[]): string =>
  members.map((member) => `/${String(member).replaceAll('~', '~0').replaceAll('/', '~1')}`).join('');
