import { Button } from '@mantine/core'
import { NotFound, PageHeader, SubNavigation } from '../../src/kit.ts'
import { type Sheet, state } from '../sheet.ts'

const subPages = ['/', '/overdue', '/returned', '/reserved', '/damaged', '/all'].map(to => ({
  ...{ to, end: true },
  label: to === '/' ? 'Open loans' : to.slice(1),
}))

export const pages: Sheet = {
  name: 'pages',
  shows: ['PageHeader', 'SubNavigation', 'NotFound'],
  states: [
    state('title alone', <PageHeader title="Overdue loans" />),
    state(
      'with everything',
      <PageHeader
        title="Overdue loans"
        description="12 books should be back."
        parent={{ to: '/', label: 'Loans' }}
        level={2}
      >
        <Button variant="default">Export</Button>
        <Button>Remind all</Button>
      </PageHeader>,
    ),
    state('pages of an area', <SubNavigation label="Loans" pages={subPages} />),
    state('an address that leads nowhere', <NotFound />),
  ],
}
