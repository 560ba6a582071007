// Settings of business networks and their nodes.

import { boolean, choice, defineSettings, integer, secret, settingList, text } from 'plinth'

export const networkSettings = defineSettings('app.bnms', {
  controllers: settingList(choice(['bno', 'member', 'bnos', 'members']), {
    default: [],
    about: 'The published membership paths: `bno` and `member` for one node, `bnos` and `members` for several.',
  }),
  nodeHeader: text({
    default: 'X-Node',
    min: 1,
    about: 'The header that names the node of a request to `bno` or `member`, where there are several.',
  }),
  nodeCookie: text({
    default: 'node',
    min: 1,
    about: 'The cookie that names the node of a request to `bno` or `member`, where there are several.',
  }),
  timeoutMs: integer({
    default: 10_000,
    min: 100,
    max: 600_000,
    about: 'The timeout for requests to nodes in other processes.',
  }),
  allowPlainHttp: boolean({
    default: false,
    about:
      'Whether nodes on other machines may have http URLs, for example inside a VPN; otherwise they must be https.',
  }),
})

export const longestNodeName = 60

/** X.500 names contain commas, so semicolons separate them. */
export const nodeSettings = defineSettings('app.nodes.<name>', {
  partyName: text({ max: 1000, about: 'The X.500 name of the node, such as `O=Alpha, L=London, C=GB`; required.' }),
  role: choice(['operator', 'member'], { about: 'The role of the node in its network; by default `member`.' }),
  address: text({
    max: 1000,
    about: 'The address of the process that runs the node; without one, its ledger is in the database of the service.',
  }),
  adminAddress: text({ max: 1000, about: 'The address of the health check of that process.' }),
  adapter: text({
    about: 'The adapter that talks to the node at its address; by default `remote`, for `plinth node`.',
  }),
  tlsCertificate: text({ max: 1000, about: 'The certificate file (PEM) of `plinth node` at an https address.' }),
  tlsKey: text({ max: 1000, about: 'The private key file (PEM) of that certificate.' }),
  username: text({ about: 'The username for the address of the node.' }),
  password: secret({ about: 'The password for that username.' }),
  bnmsServiceType: text({
    about: 'The type of the membership metadata: `json` (the default), `json-schema`, or one that the deployment adds.',
  }),
  metadataSchema: text({
    max: 1_000_000,
    about: 'The JSON Schema of the metadata, or a file that contains it, for `json-schema`.',
  }),
  bnoWhitelist: settingList(text({ max: 1000 }), {
    separator: ';',
    about: 'The operators that the node accepts, separated by semicolons; by default all in its network map.',
  }),
  networkMap: text({
    max: 1000,
    about: 'The network map: a JSON file with `parties`, each with `partyName`, `role`, `address` and `publicKey`.',
  }),
  keyFile: text({
    max: 1000,
    about:
      'The private key file of the node; by default `node-<name>.key` in the data folder, or with PostgreSQL in the database.',
  }),
})
