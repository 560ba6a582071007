// Commands for administrators of the machine.

import type { Command, CommandContext } from '../../core/command.ts'
import { removeSecondFactor } from '../auth/index.ts'
import { createAdministrator, resetPassword } from './administrators.ts'

const passwordHint = 'enter the password, or pipe it in'

const printGenerated = ({ print }: CommandContext, password: string, isGenerated: boolean): void => {
  if (isGenerated) print(`Generated password: ${password}`)
}

export const adminCommands: readonly Command[] = [
  { name: 'admin', about: 'manage administrators on the server' },
  {
    name: 'admin create',
    about: `create an administrator; ${passwordHint}`,
    arguments: [{ name: '<username>' }, { name: '<email>' }],
    run: (context, username = '', email = '') =>
      context.withPlatform(async platform => {
        const { password, isGenerated } = await context.askPassword()
        await createAdministrator(platform, { username, email, password }, { trace: { by: 'command line' } })
        context.print(`${username} is now an administrator.`)
        printGenerated(context, password, isGenerated)
      }),
  },
  {
    name: 'admin reset-password',
    about: `set a new password for a user; ${passwordHint}`,
    arguments: [{ name: '<username>' }],
    run: (context, username = '') =>
      context.withPlatform(async platform => {
        const { password, isGenerated } = await context.askPassword()
        await resetPassword(platform, username, password)
        context.print(`Password of ${username} changed. All sessions are signed out.`)
        printGenerated(context, password, isGenerated)
      }),
  },
  {
    name: 'admin reset-second-factor',
    about: 'remove the second factor of a user who has lost it',
    arguments: [{ name: '<username>' }],
    run: (context, username = '') =>
      context.withPlatform(async platform => {
        await removeSecondFactor(platform, username)
        context.print(`Second factor of ${username} removed. All sessions are signed out.`)
      }),
  },
]
