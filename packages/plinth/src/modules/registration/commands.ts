// Commands for administrators of the machine.

import type { Command, CommandContext } from '../../core/command.ts'
import { removeSecondFactor } from '../auth/index.ts'
import { createAdministrator, resetPassword } from './administrators.ts'

const passwordHint = 'the password is typed, or read from a pipe'

const printGenerated = ({ print }: CommandContext, password: string, isGenerated: boolean): void => {
  if (isGenerated) print(`The password: ${password}`)
}

export const adminCommands: readonly Command[] = [
  { name: 'admin', about: 'manage administrators from the machine of the service' },
  {
    name: 'admin create',
    about: `create an administrator; ${passwordHint}`,
    arguments: [{ name: '<username>' }, { name: '<email>' }],
    run: (context, username = '', email = '') =>
      context.withPlatform(async platform => {
        const { password, isGenerated } = await context.askPassword()
        await createAdministrator(platform, { username, email, password }, { trace: { by: 'command line' } })
        context.print(`${username} is an administrator now.`)
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
        context.print(`${username} has a new password, and is signed out everywhere.`)
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
        context.print(`${username} signs in with the password alone, and is signed out everywhere.`)
      }),
  },
]
