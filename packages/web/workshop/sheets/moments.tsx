import { Button } from '@mantine/core'
import { Empty, Loading } from '../../src/kit.ts'
import { type Sheet, state } from '../sheet.ts'

export const moments: Sheet = {
  name: 'moments',
  shows: ['Empty', 'Loading'],
  states: [
    state('empty', <Empty title="No loans" text="Loans appear here when a book is lent." />),
    state(
      'empty, with a way on',
      <Empty title="No matching loans">
        <Button variant="default">Clear filters</Button>
      </Empty>,
    ),
    state('loading', <Loading />),
    state('loading one row', <Loading rows={1} />),
  ],
}
