// The records that a relation leads to.

import { useState } from 'react'
import { Empty } from '../../common/empty.tsx'
import { Loading } from '../../common/loading.tsx'
import { ProblemAlert } from '../../common/problem-alert.tsx'
import { resourceTexts } from '../../common/records/dictionary.ts'
import { fieldsFor, useSchema } from '../../common/records/schema.ts'
import type { Schema } from '../../common/records/ui-schema.ts'
import type { FieldWithWidget } from '../../common/records/widgets/widget.ts'
import { useText } from '../../i18n/dictionary.ts'
import { RecordTable } from './record-table.tsx'

interface RelatedProps {
  /** The record that has the relation. */
  readonly owner: { readonly resource: string; readonly pk: string }
  readonly field: FieldWithWidget
}

const RelatedTable = ({ owner, field, schema }: RelatedProps & { readonly schema: Schema }) => {
  const t = useText(resourceTexts)
  const title = field.label
  const [sort, setSort] = useState(schema.defaultSort)
  const listed = fieldsFor(schema, 'list').filter(({ name }) => name !== field.relation?.by)
  const columns = (listed.length > 0 ? listed : fieldsFor(schema, 'view')).slice(0, 6)
  return (
    <RecordTable
      title={title}
      listing={{
        resource: schema.pathFragment,
        relation: { ...owner, name: field.name },
        filter: '',
        sort,
        fields: columns.map(({ name }) => name),
      }}
      columns={columns}
      onSort={setSort}
      empty={<Empty title={t('emptyRelation')} />}
    />
  )
}

export const RelatedRecords = ({ owner, field }: RelatedProps) => {
  const { data, error, refetch } = useSchema(field.relation?.resource ?? '')
  if (error) return <ProblemAlert error={error} onRetry={() => void refetch()} />
  return data ? <RelatedTable owner={owner} field={field} schema={data} /> : <Loading />
}
