// `npm run change -- added "Lists can be printed."`: notes a change for the next release, as a file in the folder `changes`.

import { isKind, kinds, writeChange } from './changes.ts'
import { readScriptArguments, runScript, ScriptError } from './command.ts'
import { root } from './manifests.ts'

const usage = `Usage: npm run change -- <kind> [--breaking] "<text>"

Notes a change for the next release in a file of the folder changes. <kind> is one of ${kinds.join(', ')}.
--breaking: users of Plinth have to change something, too. The text says what.`

await runScript(() => {
  const { positionals, values } = readScriptArguments({
    usage,
    options: { breaking: { type: 'boolean', default: false } },
    maxArguments: 2,
  })
  const [kind = '', text = ''] = positionals
  if (!isKind(kind)) throw new ScriptError(usage)
  if (text.trim() === '') throw new ScriptError(`The text is missing.\n\n${usage}`)
  console.log(writeChange(root, { kind, breaking: values.breaking === true, text }))
})
