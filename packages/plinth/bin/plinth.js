#!/usr/bin/env node
// Runs the built command line.

import { existsSync } from 'node:fs'

const [major = 0, minor = 0] = process.versions.node.split('.').map(Number)
if (major < 20 || (major === 20 && minor < 19)) {
  console.error(`Plinth needs Node 20.19 or newer; this is ${process.versions.node}.`)
  process.exit(1)
}

// Only a checkout can be without its build.
if (!existsSync(new URL('../dist/main.js', import.meta.url))) {
  console.error('Plinth is not built: packages/plinth/dist/main.js is missing. Run `npm ci && npm run build` first.')
  process.exit(1)
}

// The SDK for S3 says at its first use that its versions of 2027 need a newer Node. The one that Plinth depends on does not.
process.env.AWS_SDK_JS_NODE_VERSION_SUPPORT_WARNING_DISABLED ??= 'true'

process.setSourceMapsEnabled(true)
await import('../dist/main.js')
