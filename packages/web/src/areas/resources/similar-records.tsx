// The records that are like another one.

import { useState } from 'react'
import { Empty } from '../../common/empty.tsx'
import { resourceTexts } from '../../common/records/dictionary.ts'
import { fieldsFor } from '../../common/records/schema.ts'
import type { Schema } from '../../common/records/ui-schema.ts'
import { useText } from '../../i18n/dictionary.ts'
import { RecordTable } from './record-table.tsx'

/** Can records be asked for that are like one of this resource? */
export const hasSimilar = ({ searchedByWords = [], fields }: Schema): boolean =>
  searchedByWords.length > 0 && fields.similar === undefined

export const SimilarRecords = ({ schema, pk }: { readonly schema: Schema; readonly pk: string }) => {
  const t = useText(resourceTexts)
  // The most similar come first as long as no column is chosen.
  const [sort, setSort] = useState('')
  const listed = fieldsFor(schema, 'list')
  const columns = (listed.length > 0 ? listed : fieldsFor(schema, 'view')).slice(0, 6)
  return (
    <RecordTable
      title={t('similar')}
      listing={{
        resource: schema.pathFragment,
        filter: '',
        similar: pk,
        sort,
        fields: columns.map(({ name }) => name),
      }}
      columns={columns}
      onSort={setSort}
      empty={<Empty title={t('emptySimilar')} />}
    />
  )
}
