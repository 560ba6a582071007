// Builds the parts of this repository whose build is missing or older than their source; `npm start` runs it first.

import { buildStale, isMissing, serviceBuilds } from './builds.js'

buildStale(serviceBuilds)

const missing = serviceBuilds.filter(isMissing)
for (const { name, result } of missing)
  console.error(
    `Not built: ${name}. ${result} is missing. Run \`npm ci && npm run build\` first, with the development dependencies.`,
  )
// The service runs without its web client.
if (missing.some(({ tool }) => tool !== 'vite')) process.exit(1)
