// A search by single fields, drawn from what the service says can be searched.

import { Fieldset, SimpleGrid } from '@mantine/core'
import { resourceTexts } from '../../common/records/dictionary.ts'
import type { Conditions } from '../../common/records/filter.ts'
import type { FieldWithWidget } from '../../common/records/widgets/widget.ts'
import { useText } from '../../i18n/dictionary.ts'

interface FieldSearchProps {
  readonly fields: readonly FieldWithWidget[]
  readonly conditions: Conditions
  readonly onChange: (conditions: Conditions) => void
}

export const FieldSearch = ({ fields, conditions, onChange }: FieldSearchProps) => {
  const t = useText(resourceTexts)
  return (
    <Fieldset legend={t('fields')} variant="filled">
      <SimpleGrid cols={{ base: 1, xs: 2, lg: 3 }} spacing="sm" style={{ alignItems: 'end' }}>
        {fields.map(field => {
          const { name, widget } = field
          return (
            widget.search && (
              <widget.search.Input
                key={name}
                field={field}
                value={conditions[name] ?? ''}
                onChange={value => onChange({ ...conditions, [name]: value })}
              />
            )
          )
        })}
      </SimpleGrid>
    </Fieldset>
  )
}
