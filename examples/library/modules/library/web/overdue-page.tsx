import { AsyncButton, BarChart, hooksFor, Loading, PageHeader, SimpleTable, useFormats } from '@plinth/web'
import type { SchemaOf } from 'plinth'
import type app from '../../../plinth.config.ts'

const { client, useRecords } = hooksFor<SchemaOf<typeof app>>()

const OverduePage = () => {
  const { number, date } = useFormats()
  const { data, error } = useRecords('loans', { where: { overdue: true }, sort: 'due', limit: 100, include: ['book'] })
  if (!data) return <Loading error={error} />
  const months = Map.groupBy(data.items, ({ due }) => due?.slice(0, 7) ?? '')
  const counts = [...months].map(([month, loans]) => ({ month, count: loans.length }))
  const giveBack = (pk: string) => client.call('POST /api/rest/loans/{pk}/return', { params: { pk } })
  return (
    <>
      <PageHeader title="Overdue loans" description={`${number(data.total ?? 0)} books should be back.`} />
      <BarChart data={counts} name="month" value={{ key: 'count', label: 'Loans', format: number }} />
      <SimpleTable
        caption="Overdue loans"
        rows={data.items}
        rowKey={({ pk }) => pk}
        columns={[
          { key: 'book', title: 'Book', render: ({ book }) => book.title },
          { key: 'due', title: 'Due', render: ({ due }) => due && date(due) },
          {
            key: 'return',
            title: 'Action',
            render: ({ pk }) => <AsyncButton onPress={() => giveBack(pk)}>Return</AsyncButton>,
          },
        ]}
      />
    </>
  )
}

export default OverduePage
