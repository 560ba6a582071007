import { Badge } from '@mantine/core'
import { useTexts } from '@plinth/web'
import { networkTexts } from './dictionary.ts'
import type { MembershipState, NetworkNode } from './memberships.ts'

const colours: Readonly<Record<MembershipState, string>> = {
  PENDING: 'yellow',
  ACTIVE: 'teal',
  SUSPENDED: 'orange',
  DECLINED: 'gray',
  REVOKED: 'red',
}

export const StatusBadge = ({ status }: { readonly status: MembershipState }) => {
  const t = useTexts(networkTexts)
  return (
    <Badge variant="light" color={colours[status]} tt="none">
      {t(status)}
    </Badge>
  )
}

export const HealthBadge = ({ node }: { readonly node: NetworkNode }) => {
  const t = useTexts(networkTexts)
  const isUp = node.health.status === 'UP'
  return (
    <Badge variant="light" color={isUp ? 'teal' : 'red'} tt="none">
      {t(isUp ? 'up' : 'down')}
    </Badge>
  )
}
