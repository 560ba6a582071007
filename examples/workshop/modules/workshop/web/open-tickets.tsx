// How many repairs are open.

import { Text } from '@mantine/core'
import { Loading, useFormats } from '@plinth/web'
import { useRecords } from './api.ts'

const OpenTickets = () => {
  const { number } = useFormats()
  const { data, error } = useRecords('tickets', { where: { state: { in: ['received', 'repairing'] } }, limit: 1 })
  if (!data) return <Loading rows={1} error={error} />
  return (
    <Text fz={32} fw={700}>
      {number(data.total ?? 0)}
    </Text>
  )
}

export default OpenTickets
