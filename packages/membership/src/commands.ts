// Commands that run and check membership nodes. What runs a node is loaded when it is needed: it brings an HTTP server.

import { type Command, Problem } from 'plinth'

const loadNode = () => import('./node-process.ts')

export const membershipCommands: readonly Command[] = [
  {
    name: 'node',
    about: 'run a membership node in its own process',
    arguments: [{ name: '[name]', about: 'the node in app.nodes; optional if there is only one' }],
    run: async ({ config, print, runUntilStopped }, name) => {
      const { startNode } = await loadNode()
      const node = await startNode(config, name)
      runUntilStopped(node)
      print(`Node ${node.name} (${node.party}) is ready at ${node.address}`)
    },
  },
  {
    name: 'node entry',
    about: 'print the network map entry of a node',
    arguments: [{ name: '[name]' }],
    run: async ({ config, print }, name) => {
      const { nodeEntry } = await loadNode()
      print(JSON.stringify(await nodeEntry(config, name)))
    },
  },
  {
    name: 'node verify',
    about: 'check every signature and link in the ledger of a node',
    arguments: [{ name: '[name]' }],
    run: async ({ config, print }, name) => {
      const { verifyNode } = await loadNode()
      const { node, states, memberships, faults } = await verifyNode(config, name)
      print(`Node ${node}: ${states} states, ${memberships} memberships.`, ...faults.map(fault => `- ${fault}`))
      if (faults.length > 0) throw new Problem('conflict', `The ledger of node ${node} is invalid.`)
      print('All signatures and links are valid.')
    },
  },
]
