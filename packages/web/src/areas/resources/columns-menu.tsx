import { Button, Checkbox, Popover, ScrollArea, Stack } from '@mantine/core'
import { IconColumns } from '@tabler/icons-react'
import { resourceTexts } from '../../common/records/dictionary.ts'
import { useText } from '../../i18n/dictionary.ts'
import type { Columns } from './use-columns.ts'

export const ColumnsMenu = ({ columns }: { readonly columns: Columns }) => {
  const t = useText(resourceTexts)
  return (
    <Popover position="bottom-end" trapFocus returnFocus shadow="md">
      <Popover.Target>
        <Button variant="default" leftSection={<IconColumns size={16} aria-hidden />}>
          {t('columns')}
        </Button>
      </Popover.Target>
      <Popover.Dropdown p="sm">
        <ScrollArea.Autosize mah="60dvh" type="auto">
          <Checkbox.Group
            aria-label={t('columns')}
            value={columns.visible.map(({ name }) => name)}
            onChange={columns.choose}
          >
            <Stack gap="xs" pe="md">
              {columns.all.map(column => (
                <Checkbox key={column.name} value={column.name} label={column.label} />
              ))}
            </Stack>
          </Checkbox.Group>
        </ScrollArea.Autosize>
      </Popover.Dropdown>
    </Popover>
  )
}
