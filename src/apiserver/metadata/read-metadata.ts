export { jsonType } from './json-type.ts';
