// `@plinth/web` as packages have it: its types, and those of styles. What it is made of is in the web client, where `plinth build` finds
// it.

import { copyFileSync, readFileSync, writeFileSync } from 'node:fs'

copyFileSync('types/styles.d.ts', 'lib/styles.d.ts')
writeFileSync('lib/kit.d.ts', `/// <reference path="./styles.d.ts" />\n${readFileSync('lib/kit.d.ts', 'utf8')}`)
writeFileSync(
  'lib/kit.js',
  "throw new Error('@plinth/web is part of the web client: its pages are bundled by `plinth build`, and run in a browser.')\n",
)
