import { isProblem } from '@plinth/client'
import {
  Empty,
  hasRole,
  Loading,
  NotFound,
  PageHeader,
  ProblemAlert,
  readAgain,
  SubNavigation,
  useChanges,
  useTexts,
  useUser,
} from '@plinth/web'
import { IconAffiliate } from '@tabler/icons-react'
import { useQueryClient } from '@tanstack/react-query'
import { Navigate, Route, Routes, useParams } from 'react-router'
import { DecisionsPage } from './decisions-page.tsx'
import { networkTexts } from './dictionary.ts'
import { MembersPage } from './members-page.tsx'
import { MembershipPage } from './membership-page.tsx'
import { type NetworkNode, networkKey, useNodes } from './memberships.ts'
import { NodeChooser } from './node-chooser.tsx'
import { NodesPage } from './nodes-page.tsx'
import { OwnPage } from './own-page.tsx'

/** Subscribes to memberships for those who may read the records: to others the topic is closed. */
const LiveMemberships = () => {
  const client = useQueryClient()
  const refresh = () => void readAgain(client, networkKey)
  useChanges({ resource: 'memberships' }, { onMessage: refresh, onReload: refresh })
  return null
}

interface NodeProps {
  readonly nodes: readonly NetworkNode[]
}

const NodePages = ({ nodes }: NodeProps) => {
  const t = useTexts(networkTexts)
  const user = useUser()
  const { node: name } = useParams()
  const node = nodes.find(one => one.name === name)
  if (!node) return <NotFound />
  const { operator, member } = node.operations
  const decides = operator !== null && hasRole(user, 'ROLE_SITE_OPERATOR')
  const base = `/network/${encodeURIComponent(node.name)}`
  const pages = [
    ...(decides ? [{ to: `${base}/decisions`, label: t('decisions') }] : []),
    ...(member === null
      ? []
      : [
          { to: `${base}/memberships`, label: t('memberships') },
          { to: `${base}/members`, label: t('members') },
        ]),
  ]
  const [first] = pages
  return (
    <>
      <PageHeader title={node.organisation} description={node.party} parent={{ to: '/network', label: t('nodes') }}>
        <NodeChooser nodes={nodes} chosen={node} />
      </PageHeader>
      <SubNavigation label={t('pages')} pages={pages} />
      <Routes>
        {first && <Route index element={<Navigate replace to={first.to} />} />}
        {decides && (
          <>
            <Route path="decisions" element={<DecisionsPage key={node.name} node={node} />} />
            <Route path="decisions/:linearId" element={<MembershipPage node={node} from="decisions" />} />
          </>
        )}
        {member !== null && (
          <>
            <Route path="memberships" element={<OwnPage key={node.name} node={node} />} />
            <Route path="memberships/:linearId" element={<MembershipPage node={node} from="memberships" />} />
            <Route path="members" element={<MembersPage key={node.name} node={node} />} />
            <Route path="members/:linearId" element={<MembershipPage node={node} from="members" />} />
          </>
        )}
        <Route path="*" element={<NotFound />} />
      </Routes>
    </>
  )
}

const NetworkArea = () => {
  const t = useTexts(networkTexts)
  const user = useUser()
  const { data: nodes, error, refetch } = useNodes()
  if (nodes)
    return (
      <>
        {hasRole(user, 'ROLE_SITE_OPERATOR') && <LiveMemberships />}
        <Routes>
          <Route index element={<NodesPage nodes={nodes} />} />
          <Route path=":node/*" element={<NodePages nodes={nodes} />} />
        </Routes>
      </>
    )
  return (
    <>
      <PageHeader title={t('title')} description={t('intro')} />
      {isProblem(error, 'not_found') ? (
        <Empty icon={IconAffiliate} title={t('notPublished')} text={t('notPublishedText')} />
      ) : error ? (
        <ProblemAlert error={error} onRetry={() => void refetch()} />
      ) : (
        <Loading />
      )}
    </>
  )
}

export default NetworkArea
