// What errors of SQLite mean for the person who operates the service. SQLite tells them apart by their messages.

import type { DatabaseTrouble } from '../driver.ts'

type Trouble = (path: string) => DatabaseTrouble

const restore =
  'Stop the service, keep a copy of the file, and restore the newest backup: `plinth backup --list`, `plinth restore <name>`.'

const troubles: readonly (readonly [RegExp, Trouble])[] = [
  [
    /database disk image is malformed|file is not a database|malformed database schema/,
    path => ({ explanation: `The database file ${path} is damaged.`, remedy: restore, isDamage: true }),
  ],
  [
    /database or disk is full/,
    path => ({ explanation: `The disk of ${path} is full.`, remedy: 'Free some space on it, and try again.' }),
  ],
  [
    /disk I\/O error/,
    path => ({
      explanation: `The database file ${path} cannot be read or written: its disk is full or fails, or the file is damaged.`,
      remedy: `Free some space, and look for errors of the disk in the system log. If the file is damaged: ${restore}`,
      isDamage: true,
    }),
  ],
  [
    /unable to open database file|attempt to write a readonly database/,
    path => ({
      explanation: `The database file ${path} cannot be opened for writing.`,
      remedy: 'Let the user of the service own the file and its folder, on a file system that is mounted for writing.',
    }),
  ],
  [
    /database (?:table )?is locked/,
    path => ({
      explanation: `Another process has locked the database file ${path}.`,
      remedy: 'Stop the other process, or wait until it is done.',
    }),
  ],
]

export const diagnoseSqlite = ({ message }: Error, path: string): DatabaseTrouble | null =>
  troubles.find(([pattern]) => pattern.test(message))?.[1](path) ?? null
