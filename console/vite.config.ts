import { resolve } from 'node:path';
import { defineConfig } from 'vite';

/** The server whose answers `npm run console -- --watch` shows. */
const server = process.env['SICKBAY_URL'] ?? 'http://127.0.0.1:8080';

export default defineConfig({
  root: import.meta.dirname,
  cacheDir: resolve(import.meta.dirname, '../node_modules/.vite-console'),
  // Mantine's "use client" lines mean nothing here, and each would be a warning.
  logLevel: 'error',
  oxc: { jsx: { runtime: 'automatic' } },
  build: {
    target: 'es2023',
    emptyOutDir: true,
    // The policy of the page allows files of this server only: no data: addresses, no inline script.
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    reportCompressedSize: false,
  },
  server: {
    host: '127.0.0.1',
    port: 5173,
    proxy: { '^/(api|auth|openapi.json)': { target: server, changeOrigin: true } },
  },
});
