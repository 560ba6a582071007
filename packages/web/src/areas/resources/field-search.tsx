// A search by single members, drawn from what the service says can be searched.

import { Fieldset, SimpleGrid } from '@mantine/core'
import { useText } from '../../i18n/dictionary.ts'
import { resourceTexts } from './dictionary.ts'
import type { Conditions } from './filter.ts'
import type { FieldWithWidget } from './widgets/widget.ts'

interface FieldSearchProps {
  readonly members: readonly FieldWithWidget[]
  readonly conditions: Conditions
  readonly onChange: (conditions: Conditions) => void
}

export const FieldSearch = ({ members, conditions, onChange }: FieldSearchProps) => {
  const t = useText(resourceTexts)
  return (
    <Fieldset legend={t('fields')} variant="filled">
      <SimpleGrid cols={{ base: 1, xs: 2, lg: 3 }} spacing="sm" style={{ alignItems: 'end' }}>
        {members.map(member => {
          const { name, widget } = member
          return (
            widget.search && (
              <widget.search.Input
                key={name}
                member={member}
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
