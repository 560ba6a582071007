// `plinth audit verify`.

import type { Command, CommandContext } from '../../core/module.ts'
import { Problem } from '../../core/problem.ts'
import type { Platform } from '../../core/rest/platform.ts'
import type { LoadSecrets } from './chain.ts'
import { forgetHead, readHead } from './head-file.ts'
import { createSigner } from './signer.ts'
import { verifyAudit } from './verify.ts'

/** The most faults that are printed; all are counted. */
const mostPrinted = 100

const verify = async (context: CommandContext, platform: Platform, loadSecrets: LoadSecrets): Promise<void> => {
  const { config, options, print } = context
  const signer = createSigner(await loadSecrets(platform, config))
  const head = options.afterRestore ? null : await readHead(config)
  const { faults, events, checkpoints, waiting } = await verifyAudit({ platform, signer, head })
  print(`Compared ${events} events with ${checkpoints} checkpoints.`)
  if (waiting > 0) print(`${waiting} events are not in a checkpoint yet.`)
  if (head === null) print('The end of the log was not compared: this data folder does not know the last checkpoint.')
  print(
    ...faults
      .slice(0, mostPrinted)
      .map(({ kind, where, says }) =>
        kind === 'checkpoint' ? `Checkpoint ${where} ${says}.` : `Event ${where} ${says}.`,
      ),
  )
  if (faults.length > mostPrinted) print(`… and ${faults.length - mostPrinted} more.`)
  if (faults.length > 0) throw new Problem('conflict', `Faults of the audit log: ${faults.length}.`)
  if (options.afterRestore) await forgetHead(config)
  print('The audit log is as it was written.')
}

export const auditCommands = (loadSecrets: LoadSecrets): readonly Command[] => [
  { name: 'audit', about: 'the audit log' },
  {
    name: 'audit verify',
    about: 'find audit events that were changed, removed or reordered in the database',
    options: [
      {
        name: '--after-restore',
        about:
          'the database was restored to an earlier state by other means than `plinth restore`: do not compare the end',
      },
    ],
    run: context => context.withPlatform(platform => verify(context, platform, loadSecrets)),
  },
]
