// What errors of PostgreSQL mean for the person who operates the service, by SQLSTATE and the codes of the network.

import { errorCode } from '../../problem.ts'
import type { DatabaseTrouble } from '../driver.ts'

interface Place {
  /** Host and port. */
  readonly server: string
  readonly database: string
  readonly role: string
  readonly message: string
}

type Trouble = (place: Place) => DatabaseTrouble

const troubles: readonly (readonly [RegExp, Trouble])[] = [
  [
    /^3D000$/,
    ({ database, server, role }) => ({
      explanation: `The database '${database}' does not exist at ${server}.`,
      remedy: `Create it, as an administrator of PostgreSQL: createdb --owner='${role}' '${database}'. Or correct app.database.url.`,
    }),
  ],
  [
    /^28...$/,
    ({ server, role }) => ({
      explanation: `The database at ${server} refuses the login of '${role}'.`,
      remedy: 'Check user and password in app.database.url, and pg_hba.conf of the server.',
    }),
  ],
  [
    /^42501$/,
    ({ role, database, message }) => ({
      explanation: `The role '${role}' lacks a permission in the database '${database}': ${message}.`,
      remedy: `As an administrator of PostgreSQL: GRANT USAGE, CREATE ON SCHEMA public TO "${role}"; or make the role the owner: ALTER DATABASE "${database}" OWNER TO "${role}";`,
    }),
  ],
  [
    /^53100$/,
    ({ server }) => ({
      explanation: `The disk of the database server ${server} is full.`,
      remedy: 'Free some space on it, and try again.',
    }),
  ],
  [
    /^53300$/,
    ({ server }) => ({
      explanation: `The database server ${server} has no connection left.`,
      remedy: 'Raise max_connections of PostgreSQL, or lower app.database.poolSize of the instances.',
    }),
  ],
  [
    /^25006$/,
    ({ server }) => ({
      explanation: `The database at ${server} is read-only, such as a standby.`,
      remedy: 'Let app.database.url lead to the primary server.',
    }),
  ],
  [
    /^(58...|XX00[12])$/,
    ({ server, message }) => ({
      explanation: `The database server ${server} reports damage: ${message}.`,
      remedy: 'See the log of PostgreSQL and the disk of the server. Restore the newest backup if records are lost.',
      isDamage: true,
    }),
  ],
  [
    /^(57014|55P03)$/,
    ({ server, message }) => ({
      explanation: `The database at ${server} ended a statement: ${message}.`,
      remedy: 'Check statement_timeout and lock_timeout of the role, and what else runs in the database.',
    }),
  ],
  [
    /^57P03$/,
    ({ server }) => ({
      explanation: `The database at ${server} is starting or stopping.`,
      remedy: 'Try again in a moment.',
    }),
  ],
  [
    /^(08...|57P0.|CONNECTION_.*|CONNECT_TIMEOUT|ECONN.*|EPIPE|ETIMEDOUT|E(?:HOST|NET)UNREACH|ENOTFOUND|EAI_AGAIN)$/,
    ({ server, message }) => ({
      explanation: `The database at ${server} does not answer: ${message}.`,
      remedy: 'Check that PostgreSQL runs there and can be reached from this machine, and app.database.url.',
    }),
  ],
]

export const diagnosePostgres = (error: Error, url: string): DatabaseTrouble | null => {
  const code = errorCode(error)
  const trouble = troubles.find(([pattern]) => pattern.test(code))?.[1]
  return trouble ? trouble({ ...placeOf(url), message: error.message || code }) : null
}

/** An address can have several hosts, which no `URL` can. */
const addressPattern = /^\w+:\/\/(?:([^:@/]*)(?::[^@]*)?@)?([^/?]*)\/?([^?]*)/

const placeOf = (url: string): Omit<Place, 'message'> => {
  const [, user = '', server = '', name = ''] = addressPattern.exec(url) ?? []
  const role = decodeURIComponent(user)
  // The database of a role has its name, unless the address says otherwise.
  return { server, role, database: decodeURIComponent(name) || role }
}
