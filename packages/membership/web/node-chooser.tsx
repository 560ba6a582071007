import { Select } from '@mantine/core'
import { useTexts } from '@plinth/web'
import { useLocation, useNavigate } from 'react-router'
import { networkTexts } from './dictionary.ts'
import type { NetworkNode } from './memberships.ts'

interface NodeChooserProps {
  readonly nodes: readonly NetworkNode[]
  readonly chosen: NetworkNode
}

/** Chooses the node in whose name one acts. The page stays the same where the other node has it too. */
export const NodeChooser = ({ nodes, chosen }: NodeChooserProps) => {
  const t = useTexts(networkTexts)
  const navigate = useNavigate()
  const { pathname } = useLocation()
  const choose = (name: string | null) => {
    const node = nodes.find(one => one.name === name)
    if (!node) return
    const page = pathname.split('/')[3] ?? ''
    const hasPage = page === 'decisions' ? node.operations.operator !== null : node.operations.member !== null
    void navigate(`/network/${encodeURIComponent(node.name)}${hasPage && page ? `/${page}` : ''}`)
  }
  if (nodes.length < 2) return null
  return (
    <Select
      label={t('chooseNode')}
      data={nodes.map(({ name, organisation }) => ({ value: name, label: `${organisation} (${name})` }))}
      value={chosen.name}
      onChange={choose}
      allowDeselect={false}
      searchable={nodes.length > 8}
      w={240}
    />
  )
}
