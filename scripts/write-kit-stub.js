// `@plinth/web` as packages have it: its types. What it is made of is in the web client, where `plinth build` finds it.

import { writeFileSync } from 'node:fs'

writeFileSync(
  'lib/kit.js',
  "throw new Error('@plinth/web is part of the web client: its pages are bundled by `plinth build`, and run in a browser.')\n",
)
