/** Cases that are answered wrongly until a rule is right: each is a fault of the product. Nothing is added here for the sake of a green test. */
export const KNOWN_WRONG: readonly string[] = [];
