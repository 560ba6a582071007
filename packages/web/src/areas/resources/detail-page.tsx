import { Box, Button, Tabs } from '@mantine/core'
import { ApiProblem } from '@plinth/client'
import { IconEdit, IconTrash } from '@tabler/icons-react'
import { useQueryClient } from '@tanstack/react-query'
import { Link, useParams, useSearchParams } from 'react-router'
import { type Item, recordPath, recordsOf } from '../../api/records.ts'
import { useActions, useIsPossible } from '../../common/actions/use-actions.ts'
import { ConfirmButton } from '../../common/confirm-button.tsx'
import { commonTexts } from '../../common/dictionary.ts'
import { Empty } from '../../common/empty.tsx'
import { Loading } from '../../common/loading.tsx'
import { notify } from '../../common/notify.ts'
import { PageHeader } from '../../common/page-header.tsx'
import { ProblemAlert } from '../../common/problem-alert.tsx'
import { resourceTexts } from '../../common/records/dictionary.ts'
import { initialValues, valuesToSend } from '../../common/records/form-values.ts'
import { canRestore, fieldsFor, titleOf } from '../../common/records/schema.ts'
import type { Schema } from '../../common/records/ui-schema.ts'
import { itemKey, useItem, useItemChanges } from '../../common/records/use-item.ts'
import { useNavigateLater } from '../../common/use-navigate-later.ts'
import { useText } from '../../i18n/dictionary.ts'
import { useTitles } from '../../i18n/title.ts'
import { ModulePart } from '../../module-pages/module-part.tsx'
import { useRecordTabs } from '../../module-pages/use-parts-of-records.ts'
import { ActionButton } from './actions/action-button.tsx'
import { FieldList } from './field-list.tsx'
import { HistoryTab } from './history-tab.tsx'
import { ModuleRecordActions } from './module-actions.tsx'
import { PartPanel, partsOfRecord } from './record-part.tsx'
import { RelatedRecords } from './related-records.tsx'
import { hasSimilar, SimilarRecords } from './similar-records.tsx'
import { StateSteps } from './state-steps.tsx'
import { offerUndo, withdrawUndo } from './undo.tsx'
import { wayBackTo } from './way-back.ts'

/** What happens to the record when it is deleted. */
const explanationOf = (schema: Schema, record: Item) => {
  if (schema.rights.trash) return 'deleteToTrash'
  return canRestore(schema, record) ? 'deleteRestorable' : 'deleteForGood'
}

interface ActionsProps {
  readonly schema: Schema
  readonly record: Item
  readonly onDeleted: () => void
}

const Actions = ({ schema, record, onDeleted }: ActionsProps) => {
  const t = useText(resourceTexts)
  const common = useText(commonTexts)
  const client = useQueryClient()
  const { pathFragment: resource, rights } = schema
  const { pk } = record
  const records = recordsOf(resource)
  const path = recordPath(resource, pk)
  const title = titleOf(schema, record)
  const remove = async () => {
    await records.remove(record)
    client.removeQueries({ queryKey: itemKey(resource, pk) })
    void client.invalidateQueries({ queryKey: ['rows'] })
    void client.invalidateQueries({ queryKey: ['total'] })
    onDeleted()
    const message = t('deleted', { title })
    withdrawUndo(path)
    if (rights.trash) return offerUndo({ path, message, undo: () => records.restore(pk) })
    if (!canRestore(schema, record)) return notify(message)
    const fields = fieldsFor(schema, 'create')
    const body = valuesToSend(fields, initialValues(fields, record))
    offerUndo({ path, message, undo: () => records.put(pk, body) })
  }
  const actions = useActions(resource, 'record')
  const isPossible = useIsPossible(actions, { resource, pk, version: record.version })
  return (
    <>
      <StateSteps schema={schema} record={record} />
      {actions.map(action => (
        <ActionButton key={action.id} action={action} pk={pk} isPossible={isPossible(action)} />
      ))}
      <ModuleRecordActions resource={resource} record={record} />
      {rights.patch && (
        <Button component={Link} to="edit" leftSection={<IconEdit size={16} aria-hidden />}>
          {common('edit')}
        </Button>
      )}
      {rights.delete && (
        <ConfirmButton
          color="red"
          variant="light"
          leftSection={<IconTrash size={16} aria-hidden />}
          question={t('deleteQuestion', { title })}
          explanation={t(explanationOf(schema, record))}
          confirmLabel={common('delete')}
          onConfirm={remove}
        >
          {common('delete')}
        </ConfirmButton>
      )}
    </>
  )
}

// No field has an underscore at the start of its name, so no relation has the name of one of these tabs.
const detailsTab = '_details'
const historyTab = '_history'
const similarTab = '_similar'
const addedTab = (name: string): string => `_${name}`

const Body = ({ schema, record }: { readonly schema: Schema; readonly record: Item }) => {
  const t = useText(resourceTexts)
  const titleIn = useTitles()
  const [search, setSearch] = useSearchParams()
  // Short lists stand among the fields already.
  const names = new Set(fieldsFor(schema, 'view').map(({ name }) => name))
  const relations = fieldsFor(schema, 'relations').filter(({ name }) => !names.has(name))
  const parts = partsOfRecord(schema, record)
  const fields = <FieldList schema={schema} record={record} />
  const hasHistory = schema.rights.history
  const isCompared = hasSimilar(schema)
  const added = useRecordTabs(schema.pathFragment)
  if (relations.length + parts.length + added.length === 0 && !hasHistory && !isCompared) return fields
  const requestedTab = search.get('tab')
  const isThere =
    [...parts.map(({ field }) => field), ...relations].some(({ name }) => name === requestedTab) ||
    added.some(({ name }) => addedTab(name) === requestedTab) ||
    (isCompared && requestedTab === similarTab) ||
    (hasHistory && requestedTab === historyTab)
  const tab = isThere ? requestedTab : detailsTab
  return (
    <Tabs
      value={tab}
      onChange={chosen => setSearch(chosen === detailsTab ? {} : { tab: chosen ?? '' }, { replace: true })}
      keepMounted={false}
    >
      <Tabs.List mb="md">
        <Tabs.Tab value={detailsTab}>{t('details')}</Tabs.Tab>
        {parts.map(({ field }) => (
          <Tabs.Tab key={field.name} value={field.name}>
            {field.label}
          </Tabs.Tab>
        ))}
        {relations.map(relation => (
          <Tabs.Tab key={relation.name} value={relation.name}>
            {relation.label}
          </Tabs.Tab>
        ))}
        {added.map(({ name, title }) => (
          <Tabs.Tab key={name} value={addedTab(name)}>
            {titleIn(title)}
          </Tabs.Tab>
        ))}
        {isCompared && <Tabs.Tab value={similarTab}>{t('similar')}</Tabs.Tab>}
        {hasHistory && <Tabs.Tab value={historyTab}>{t('history')}</Tabs.Tab>}
      </Tabs.List>
      <Tabs.Panel value={detailsTab}>{fields}</Tabs.Panel>
      {parts.map(part => (
        <Tabs.Panel key={part.field.name} value={part.field.name}>
          <PartPanel {...part} />
        </Tabs.Panel>
      ))}
      {relations.map(relation => (
        <Tabs.Panel key={relation.name} value={relation.name}>
          <RelatedRecords owner={{ resource: schema.pathFragment, pk: record.pk }} field={relation} />
        </Tabs.Panel>
      ))}
      {added.map(({ name, content }) => (
        <Tabs.Panel key={name} value={addedTab(name)}>
          <ModulePart content={content} props={{ record }} />
        </Tabs.Panel>
      ))}
      {isCompared && (
        <Tabs.Panel value={similarTab}>
          <SimilarRecords schema={schema} pk={record.pk} />
        </Tabs.Panel>
      )}
      {hasHistory && (
        <Tabs.Panel value={historyTab}>
          <HistoryTab schema={schema} record={record} />
        </Tabs.Panel>
      )}
    </Tabs>
  )
}

export const DetailPage = ({ schema }: { readonly schema: Schema }) => {
  const t = useText(resourceTexts)
  const { pk = '' } = useParams()
  const resource = schema.pathFragment
  const { data, error, refetch } = useItem(resource, pk)
  useItemChanges(resource, pk)
  const navigate = useNavigateLater()
  const parent = { ...wayBackTo(resource), label: schema.title }
  if (error instanceof ApiProblem && error.status === 404) {
    return (
      <>
        <PageHeader title={schema.title} parent={parent} />
        <Empty title={t('goneTitle')}>
          <Button component={Link} to={parent.to} state={parent.state} variant="default">
            {parent.label}
          </Button>
        </Empty>
      </>
    )
  }
  return (
    <Box key={pk}>
      <PageHeader title={data ? titleOf(schema, data) : schema.title} parent={parent}>
        {data && (
          <Actions schema={schema} record={data} onDeleted={() => navigate(parent.to, { state: parent.state })} />
        )}
      </PageHeader>
      {data ? (
        <Body schema={schema} record={data} />
      ) : error ? (
        <ProblemAlert error={error} onRetry={() => void refetch()} />
      ) : (
        <Loading />
      )}
    </Box>
  )
}
