import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useMemo } from 'react'
import { recordsOf } from '../../api/records.ts'
import { notify } from '../../common/notify.ts'
import { PageHeader } from '../../common/page-header.tsx'
import { resourceTexts } from '../../common/records/dictionary.ts'
import { DraftNotice } from '../../common/records/draft-notice.tsx'
import { initialValues, valuesToSend } from '../../common/records/form-values.ts'
import { RecordForm } from '../../common/records/record-form.tsx'
import { fieldsFor, nounOf } from '../../common/records/schema.ts'
import { offeringStates } from '../../common/records/states.ts'
import type { Schema } from '../../common/records/ui-schema.ts'
import { forgetDraft, useDraft, useDraftKey } from '../../common/records/use-draft.ts'
import { useOnceKey } from '../../common/records/use-once-key.ts'
import { useSendProgress } from '../../common/records/use-send-progress.ts'
import { useNavigateLater } from '../../common/use-navigate-later.ts'
import { useText } from '../../i18n/dictionary.ts'
import { useLanguage } from '../../i18n/language.ts'
import { wayBackTo } from './way-back.ts'

export const CreatePage = ({ schema }: { readonly schema: Schema }) => {
  const t = useText(resourceTexts)
  const language = useLanguage()
  const navigate = useNavigateLater()
  const client = useQueryClient()
  const resource = schema.pathFragment
  const fields = useMemo(() => offeringStates(fieldsFor(schema, 'create'), null), [schema])
  const initial = useMemo(() => initialValues(fields, null), [fields])
  const key = useDraftKey(resource)
  const draft = useDraft(key, initial, fields)
  const keyOf = useOnceKey()
  const progress = useSendProgress()
  const create = useMutation({
    mutationFn: () => {
      const body = valuesToSend(fields, draft.values)
      const { onProgress } = progress
      return recordsOf(resource).create(body, { idempotencyKey: keyOf(draft.values), onProgress })
    },
    onSuccess: ({ pk }) => {
      forgetDraft(key)
      void client.invalidateQueries({ queryKey: ['rows', `/api/rest/${resource}`] })
      void client.invalidateQueries({ queryKey: ['total', `/api/rest/${resource}`] })
      notify(t('created'))
      navigate(`/resources/${resource}/${encodeURIComponent(pk)}`, { replace: true })
    },
  })
  const list = wayBackTo(resource)
  return (
    <>
      <PageHeader
        title={t('newOf', { title: nounOf(schema, language) })}
        description={schema.about}
        parent={{ ...list, label: schema.title }}
      />
      <DraftNotice draft={draft} />
      <RecordForm
        fields={fields}
        values={draft.values}
        checks={schema.checks}
        onChange={draft.change}
        error={create.error}
        isPending={create.isPending}
        percentSent={progress.percent}
        onSubmit={() => create.mutate()}
        cancel={list}
      />
    </>
  )
}
