// `npm create plinth my-app`

import { runCreate } from './create.ts'

process.exitCode = await runCreate(process.argv.slice(2))
