import { Button, Group, Menu, Progress, Stack, Text } from '@mantine/core'
import { IconDownload } from '@tabler/icons-react'
import { useRef, useState } from 'react'
import { Dialog } from '../../common/dialog.tsx'
import { commonTexts } from '../../common/dictionary.ts'
import { notify, notifyProblem } from '../../common/notify.ts'
import { ProblemAlert } from '../../common/problem-alert.tsx'
import { resourceTexts } from '../../common/records/dictionary.ts'
import type { FieldWithWidget } from '../../common/records/widgets/widget.ts'
import { saveFile } from '../../common/save-file.ts'
import { useText } from '../../i18n/dictionary.ts'
import { type ExportFormat, exportRows, saveSpreadsheet } from './export.ts'
import type { RowList } from './use-rows.ts'

interface ExportMenuProps {
  readonly listing: RowList
  readonly columns: readonly FieldWithWidget[]
}

export const ExportMenu = ({ listing, columns }: ExportMenuProps) => {
  const t = useText(resourceTexts)
  const common = useText(commonTexts)
  const [count, setCount] = useState<number | null>(null)
  const [error, setError] = useState<unknown>(null)
  const stopper = useRef<AbortController | null>(null)
  const run = async (format: ExportFormat) => {
    const controller = new AbortController()
    stopper.current = controller
    setError(null)
    setCount(0)
    try {
      const progress = { signal: controller.signal, onProgress: setCount }
      const { file, count: all } = await exportRows({ listing, columns, format }, progress)
      saveFile(file, `${listing.resource}.${format}`)
      setCount(null)
      notify(t('exported', { count: all }))
    } catch (failure) {
      if (!controller.signal.aborted) setError(failure)
    }
  }
  const sheet = async () => {
    try {
      await saveSpreadsheet(listing, columns)
    } catch (failure) {
      notifyProblem(failure)
    }
  }
  const close = () => {
    stopper.current?.abort()
    setCount(null)
  }
  return (
    <>
      <Menu position="bottom-end">
        <Menu.Target>
          <Button variant="default" leftSection={<IconDownload size={16} aria-hidden />}>
            {t('export')}
          </Button>
        </Menu.Target>
        <Menu.Dropdown>
          <Menu.Item onClick={() => void run('csv')}>{t('exportCsv')}</Menu.Item>
          <Menu.Item onClick={() => void run('json')}>{t('exportJson')}</Menu.Item>
          <Menu.Item onClick={() => void sheet()}>{t('exportXlsx')}</Menu.Item>
        </Menu.Dropdown>
      </Menu>
      <Dialog opened={count !== null} onClose={close} title={t('export')}>
        <Stack>
          {error === null && <Progress value={100} striped animated aria-label={t('export')} />}
          <Text role="status">{t('exporting', { count: count ?? 0 })}</Text>
          <ProblemAlert error={error} />
          <Group justify="flex-end">
            <Button variant="default" onClick={close} data-autofocus>
              {common('cancel')}
            </Button>
          </Group>
        </Stack>
      </Dialog>
    </>
  )
}
