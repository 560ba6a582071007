// How many repairs are open.

import { Text } from '@mantine/core'
import { Loading, ProblemAlert, useFormats } from '@plinth/web'
import { useRecords } from './api.ts'

const OpenTickets = () => {
  const { number } = useFormats()
  const { data, error } = useRecords('tickets', { where: { state: { in: ['received', 'repairing'] } }, limit: 1 })
  if (error) return <ProblemAlert error={error} />
  if (!data) return <Loading rows={1} />
  return (
    <Text fz={32} fw={700}>
      {number(data.total ?? 0)}
    </Text>
  )
}

export default OpenTickets
