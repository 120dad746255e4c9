/**
 * Generates the field numbers of Kubernetes' protobuf messages from its Go modules:
 *
 *   node scripts/generate-protobuf.ts "$(go env GOMODCACHE)/k8s.io" v0.36.3
 */
import { writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { PROTOBUF_FIELDS_FILE, protobufFieldsText } from './generate/protobuf-fields.ts';

const [modules, version] = process.argv.slice(2);
if (modules === undefined || version === undefined) {
  console.error('name the folder with the Go modules api and apimachinery of k8s.io, and their version');
  process.exit(2);
}
const text = protobufFieldsText(modules, version);
writeFileSync(join(dirname(fileURLToPath(import.meta.url)), '..', PROTOBUF_FIELDS_FILE), text);
console.log(`${PROTOBUF_FIELDS_FILE}: ${text.split('\n').length - 3} messages, ${text.length} bytes`);
