/**
 * Generates the schemas of the built-in kinds from a real kube-apiserver: starts one from the folder that
 * KUBEBUILDER_ASSETS names, reads its OpenAPI and stops it.
 *
 *   node scripts/generate-builtins.ts
 */
import { readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { bearer } from '../src/kube/http/http-config.ts';
import { httpTransport } from '../src/kube/http/http-transport.ts';
import { startControlPlane } from '../src/testkit/control-plane.ts';
import { controlPlaneLane } from '../src/testkit/lane.ts';
import { BUILTIN_SCHEMAS_FILE, builtinSchemasText } from './generate/builtin-schemas.ts';

const binaries = process.env[controlPlaneLane.setting];
if (!binaries) {
  console.error(`set ${controlPlaneLane.setting} to a folder with etcd and kube-apiserver`);
  process.exit(2);
}

const plane = await startControlPlane({ binaries });
const transport = httpTransport({ server: plane.url, ca: readFileSync(plane.caFile), identity: bearer(plane.token) });
try {
  const text = await builtinSchemasText(transport);
  writeFileSync(join(dirname(fileURLToPath(import.meta.url)), '..', BUILTIN_SCHEMAS_FILE), text);
  console.log(`${BUILTIN_SCHEMAS_FILE}: ${text.split('\n').length - 3} schemas, ${text.length} bytes`);
} finally {
  await transport.close();
  await plane.stop();
}
