// The hooks and the data provider by their types: checked by the compiler alone.

import type { AuthProvider, DataProvider } from 'react-admin'
import { createClient } from '../../src/index.ts'
import { createHooks } from '../../src/react.ts'
import { createAuthProvider, createDataProvider } from '../../src/react-admin.ts'
import type { LibrarySchema } from '../library-schema.ts'

const client = createClient<LibrarySchema>()
const { useRecord, useRecords, useMutation, useEndpoint, useSession } = createHooks(client)

export const dataProvider: DataProvider = createDataProvider(client, { search: { books: ['title'] } })
export const authProvider: AuthProvider = createAuthProvider(client)

export const Right = (): null => {
  const { data: book } = useRecord('books', '1', { include: ['shelf'], follow: ['shelves'] })
  const path: string | undefined = book?.shelf?.path
  const { data: page } = useRecords('books', { where: { pages: { gt: 100 } }, sort: '-pages', fields: ['title'] })
  const title: string | undefined = page?.items[0]?.title
  const { mutate, data: made } = useMutation((name: string) => client.authors.create({ name }), {
    changes: ['authors'],
  })
  mutate('Ursula K. Le Guin')
  const name: string | undefined = made?.name
  const giveBack = useEndpoint('POST /api/rest/loans/{pk}/return', { changes: ['books'] })
  void giveBack.call({ params: { pk: '1' }, body: { condition: 'good' } })
  const fee: number | undefined = giveBack.result?.fee
  console.log(fee, giveBack.isPending, giveBack.problem?.message)
  const user: string | undefined = useSession().user?.username
  console.log(path, title, name, user)
  return null
}

export const Wrong = (): null => {
  // @ts-expect-error
  useEndpoint('POST /api/rest/loans/{pk}/burn')
  // @ts-expect-error
  void useEndpoint('POST /api/rest/loans/{pk}/return').call({ params: { pk: '1' }, body: { condition: 'lost' } })
  // @ts-expect-error
  useRecord('booklets', '1')
  // @ts-expect-error
  useRecords('books', { where: { pagess: 1 } })
  // @ts-expect-error
  useRecords('books', { sort: 'nothing' })
  // @ts-expect-error
  useRecords('books', { fields: ['title'] }).data?.items[0]?.pages
  // @ts-expect-error
  useRecord('books', '1').data?.shelf?.path
  const { mutate } = useMutation((name: string) => client.authors.create({ name }))
  // @ts-expect-error
  mutate(1)
  // @ts-expect-error
  useMutation(() => client.authors.create({ name: '' }), { changes: ['writers'] })
  return null
}
