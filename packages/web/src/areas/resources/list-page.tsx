import { Badge, Button, Collapse, Group, Stack, Text } from '@mantine/core'
import { useDisclosure } from '@mantine/hooks'
import { IconCode, IconFilter, IconPlus, IconSearch, IconTrash, IconUpload } from '@tabler/icons-react'
import { useRef } from 'react'
import { Link } from 'react-router'
import { useIsOn } from '../../api/modules.ts'
import { useActions } from '../../common/actions/use-actions.ts'
import { Empty } from '../../common/empty.tsx'
import { PageHeader } from '../../common/page-header.tsx'
import { DebouncedInput } from '../../common/records/debounced-input.tsx'
import { resourceTexts } from '../../common/records/dictionary.ts'
import { composeFilter } from '../../common/records/filter.ts'
import { fieldsFor } from '../../common/records/schema.ts'
import type { Schema } from '../../common/records/ui-schema.ts'
import { shortId, useWords, valueText } from '../../common/records/value-text.ts'
import { useText } from '../../i18n/dictionary.ts'
import { hasRole } from '../../session/roles.ts'
import { useSession } from '../../session/session.tsx'
import { ActionButton } from './actions/action-button.tsx'
import { BulkActions } from './bulk/bulk-bar.tsx'
import { useSelection } from './bulk/use-selection.ts'
import { ColumnsMenu } from './columns-menu.tsx'
import { ExportMenu } from './export-menu.tsx'
import { FieldSearch } from './field-search.tsx'
import { FilterText, isFilterProblem } from './filter-text.tsx'
import { ModuleListActions } from './module-actions.tsx'
import { RecordTable } from './record-table.tsx'
import { useColumns } from './use-columns.ts'
import { type RowList, useTotal } from './use-rows.ts'
import { type ListState, useSearch } from './use-search.ts'
import { useRememberedList } from './way-back.ts'

const isSearched = ({ quick, text, conditions }: ListState): boolean =>
  quick !== '' || text !== '' || Object.values(conditions).some(value => value !== '')

const nothing = { quick: '', text: '', conditions: {} } as const

export const ListPage = ({ schema }: { readonly schema: Schema }) => {
  const t = useText(resourceTexts)
  const [state, change] = useSearch(schema.defaultSort)
  const columns = useColumns(schema)
  const isOn = useIsOn()
  const { user } = useSession()
  useRememberedList(schema.pathFragment)
  const actions = useActions(schema.pathFragment, 'list')
  const mayCreate = schema.rights.create && schema.createForm
  const searchable = fieldsFor(schema, 'search')
  const chosen = Object.values(state.conditions).filter(value => value !== '').length
  const [byFields, fields] = useDisclosure(chosen > 0)
  const [byText, text] = useDisclosure(state.text !== '')
  const { searchedByWords = [] } = schema
  const byWords = searchedByWords.length > 0
  const quickFields = byWords ? searchedByWords : schema.quickSearch
  const searched = quickFields.map(field => schema.fields[field]?.label ?? field).join(', ')
  const { filter, textAt } = composeFilter(state, searchable, byWords ? [] : schema.quickSearch)
  const listing: RowList = {
    resource: schema.pathFragment,
    filter,
    ...(byWords && { search: state.quick }),
    // The best matches come first as long as no column is chosen.
    sort: byWords && state.quick.trim() !== '' && state.sort === schema.defaultSort ? '' : state.sort,
    fields: columns.visible.map(column => column.name),
  }
  const { total, isEstimated, error } = useTotal(listing)
  const bulk = useActions(schema.pathFragment, 'record').filter(({ isBulk }) => isBulk)
  const words = useWords()
  const selection = useSelection(listing, row => {
    const [column] = columns.visible
    return (column && valueText(row[column.name], column, words)) || shortId(row.pk)
  })
  const isSelectable = bulk.length > 0 || schema.rights.delete
  const table = useRef<HTMLDivElement>(null)
  const takeFocus = () => table.current?.querySelector<HTMLElement>('[tabindex="0"]')?.focus()
  const problem = isFilterProblem(error) ? error : null
  return (
    <>
      <PageHeader title={schema.title} description={schema.about}>
        {actions.map(action => (
          <ActionButton key={action.id} action={action} />
        ))}
        <ModuleListActions resource={schema.pathFragment} />
        {hasRole(user, 'ROLE_ADMIN') && (mayCreate || schema.rights.patch) && isOn('exchange') && (
          <Button component={Link} to="import" variant="default" leftSection={<IconUpload size={16} aria-hidden />}>
            {t('import')}
          </Button>
        )}
        {schema.rights.trash && (
          <Button component={Link} to="trash" variant="default" leftSection={<IconTrash size={16} aria-hidden />}>
            {t('trash')}
          </Button>
        )}
        {mayCreate && (
          <Button component={Link} to="new" leftSection={<IconPlus size={16} aria-hidden />}>
            {t('new')}
          </Button>
        )}
      </PageHeader>
      <Stack gap="sm">
        <Group gap="xs">
          {searched !== '' && (
            <DebouncedInput
              type="search"
              aria-label={t('quick', { label: searched })}
              placeholder={t('quick', { label: searched })}
              leftSection={<IconSearch size={16} aria-hidden />}
              value={state.quick}
              onSettle={quick => change({ quick })}
              style={{ flex: '1 1 14rem' }}
            />
          )}
          <Button
            variant={byFields ? 'light' : 'default'}
            leftSection={<IconFilter size={16} aria-hidden />}
            rightSection={chosen > 0 && <Badge circle>{chosen}</Badge>}
            aria-expanded={byFields}
            onClick={fields.toggle}
          >
            {t('fields')}
          </Button>
          <Button
            variant={byText ? 'light' : 'default'}
            leftSection={<IconCode size={16} aria-hidden />}
            aria-expanded={byText || problem !== null}
            onClick={text.toggle}
          >
            {t('filterText')}
          </Button>
          <ColumnsMenu columns={columns} />
          <ExportMenu listing={listing} columns={columns.visible} />
        </Group>
        <Collapse expanded={byFields} keepMounted={false}>
          <FieldSearch
            fields={searchable}
            conditions={state.conditions}
            onChange={conditions => change({ conditions })}
          />
        </Collapse>
        <Collapse expanded={byText || problem !== null} keepMounted={false}>
          <FilterText
            text={state.text}
            textAt={textAt}
            example={`${schema.label ?? 'pk'}==A*;createdDate>2024-01-01`}
            error={problem}
            onApply={applied => change({ text: applied })}
          />
        </Collapse>
        {!error && (
          <Text size="sm" c="dimmed" role="status">
            {total === null ? t('counting') : t(isEstimated ? 'countAbout' : 'count', { count: total })}
          </Text>
        )}
        {problem === null && (
          <div ref={table}>
            <RecordTable
              key={`${filter} ${state.sort}`}
              title={schema.title}
              listing={listing}
              columns={columns.visible}
              onSort={sort => change({ sort })}
              selection={isSelectable ? selection : undefined}
              empty={
                isSearched(state) ? (
                  <Empty title={t('noMatch')} text={t('noMatchText')}>
                    <Button variant="default" onClick={() => change(nothing)}>
                      {t('clearSearch')}
                    </Button>
                  </Empty>
                ) : (
                  <Empty title={t('noneTitle')} text={t('noneText')} />
                )
              }
            />
          </div>
        )}
        {isSelectable && (
          <BulkActions schema={schema} actions={bulk} selection={selection} total={total} takeFocus={takeFocus} />
        )}
      </Stack>
    </>
  )
}
