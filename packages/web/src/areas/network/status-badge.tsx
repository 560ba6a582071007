import { Badge } from '@mantine/core'
import { useText } from '../../i18n/dictionary.ts'
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
  const t = useText(networkTexts)
  return (
    <Badge variant="light" color={colours[status]} tt="none">
      {t(status)}
    </Badge>
  )
}

export const HealthBadge = ({ node }: { readonly node: NetworkNode }) => {
  const t = useText(networkTexts)
  const isUp = node.health.status === 'UP'
  return (
    <Badge variant="light" color={isUp ? 'teal' : 'red'} tt="none">
      {t(isUp ? 'up' : 'down')}
    </Badge>
  )
}
