// The membership module and its nodes.

import { boolean, choice, integer, list, text, x500List } from '../kinds.ts'
import { named, setting } from '../load.ts'

export const membershipSettings = {
  'app.bnms.controllers': setting({
    is: list(choice('bno', 'member', 'bnos', 'members')),
    default: [],
    meaning:
      'Which of the membership paths are published: `bno` and `member` for one node, `bnos` and `members` for several.',
  }),
  'app.bnms.nodeHeader': setting({
    is: text('a header'),
    default: 'X-Node',
    meaning: 'The header that names the node of a request to `bno` or `member`, where there are several.',
  }),
  'app.bnms.nodeCookie': setting({
    is: text('a cookie'),
    default: 'node',
    meaning: 'The cookie that names the node of a request to `bno` or `member`, where there are several.',
  }),
  'app.bnms.timeoutMs': setting({
    is: integer(100, 600_000),
    default: 10_000,
    meaning: 'How long a node that is another process may take to answer.',
  }),
  'app.bnms.allowPlainHttp': setting({
    is: boolean,
    default: false,
    meaning:
      'Whether nodes on other machines may be reached by plain http, as behind a VPN; otherwise their addresses must be https.',
  }),
  'app.nodes.<name>.partyName': named({
    is: text('an X.500 name'),
    meaning: 'The X.500 name of the node, such as `O=Alpha, L=London, C=GB`; every node has one.',
  }),
  'app.nodes.<name>.role': named({
    is: choice('operator', 'member'),
    meaning: 'What the node is in its network; `member` unless given.',
  }),
  'app.nodes.<name>.address': named({
    is: text('host:port'),
    meaning: 'Where the process of the node answers; without one, its ledger is in the database of the service.',
  }),
  'app.nodes.<name>.adminAddress': named({
    is: text('host:port'),
    meaning: 'Where the process of the node tells its health.',
  }),
  'app.nodes.<name>.adapter': named({
    is: text('an adapter'),
    meaning:
      'What speaks to the node at its address: `remote`, for `plinth node`, unless given, or one that the deployment adds.',
  }),
  'app.nodes.<name>.tlsCertificate': named({
    is: text('a file'),
    meaning: 'The certificate, PEM, under which `plinth node` answers at an https address.',
  }),
  'app.nodes.<name>.tlsKey': named({
    is: text('a file'),
    meaning: 'The private key of that certificate, PEM.',
  }),
  'app.nodes.<name>.username': named({
    is: text('a name'),
    meaning: 'The login of the node, for its address.',
  }),
  'app.nodes.<name>.password': named({
    is: text('a password'),
    secret: true,
    meaning: 'The password that belongs to the login.',
  }),
  'app.nodes.<name>.bnmsServiceType': named({
    is: text('a metadata type'),
    meaning:
      'The type of the membership metadata: `json`, unless given, or `json-schema`, or one that the deployment adds.',
  }),
  'app.nodes.<name>.metadataSchema': named({
    is: text('a JSON Schema or its file'),
    meaning: 'The schema of the metadata, for `json-schema`: itself, or the file that holds it.',
  }),
  'app.nodes.<name>.bnoWhitelist': named({
    is: x500List,
    meaning: 'The operators that the node deals with, separated by semicolons; all of its network map unless given.',
  }),
  'app.nodes.<name>.networkMap': named({
    is: text('a file'),
    meaning:
      'The JSON file of the parties that the node knows: `parties`, each with `partyName`, `role`, `address` and `publicKey`.',
  }),
  'app.nodes.<name>.keyFile': named({
    is: text('a file'),
    meaning:
      'The file of the private key of the node. Unless given, `node-<name>.key` in the data folder, or the database where `app.database.url` names one.',
  }),
}
