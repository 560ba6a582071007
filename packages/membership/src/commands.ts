// Commands that run and check membership nodes. What runs a node is loaded when it is needed: it brings an HTTP server.

import { type Command, Problem } from 'plinth'

const loadNode = () => import('./node-process.ts')

export const membershipCommands: readonly Command[] = [
  {
    name: 'node',
    about: 'run a membership node in a process of its own',
    arguments: [{ name: '[name]', about: 'which of app.nodes; can be left out when there is only one' }],
    run: async ({ config, print, runUntilStopped }, name) => {
      const { startNode } = await loadNode()
      const node = await startNode(config, name)
      runUntilStopped(node)
      print(`Node ${node.name} (${node.party}) is ready at ${node.address}`)
    },
  },
  {
    name: 'node entry',
    about: 'print the entry of a node for the network maps of others',
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
      if (faults.length > 0) throw new Problem('conflict', `The ledger of node ${node} is not sound.`)
      print('All of them are sound.')
    },
  },
]
