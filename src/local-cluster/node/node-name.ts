/** The one node of a local cluster. */
export const NODE_NAME = 'local';
