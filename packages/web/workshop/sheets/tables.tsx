import { ApiProblem } from '@plinth/client'
import { MorePages, SimpleTable } from '../../src/kit.ts'
import { type Sheet, state } from '../sheet.ts'

const loans = [
  { pk: '1', book: 'Emma', due: '2030-05-01', fee: '2.40' },
  { pk: '2', book: 'The Life and Opinions of Tristram Shandy, Gentleman', due: '2030-05-14', fee: '0.80' },
]

const columns = [
  { key: 'book', title: 'Book', render: ({ book }: (typeof loans)[number]) => book },
  { key: 'due', title: 'Due', nowrap: true, render: ({ due }: (typeof loans)[number]) => due },
  { key: 'fee', title: 'Fee', align: 'right' as const, render: ({ fee }: (typeof loans)[number]) => fee },
]

const table = (rows: typeof loans) => (
  <SimpleTable caption="Overdue loans" columns={columns} rows={rows} rowKey={({ pk }) => pk} />
)

const list = {
  ...{ hasNextPage: true, isFetching: false, isFetchingNextPage: false, isFetchNextPageError: false, error: null },
  ...{ fetchNextPage: async () => {}, refetch: async () => {} },
}

export const tables: Sheet = {
  name: 'tables',
  shows: ['SimpleTable', 'MorePages'],
  states: [
    state('rows', table(loans)),
    state('no rows', table([])),
    state('more rows', <MorePages list={list} />),
    state(
      'more rows that did not come',
      <MorePages list={{ ...list, isFetchNextPageError: true, error: new ApiProblem(0, { code: 'unreachable' }) }} />,
    ),
  ],
}
