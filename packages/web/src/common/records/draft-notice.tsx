import { Alert, Button, Group, Text } from '@mantine/core'
import { useText } from '../../i18n/dictionary.ts'
import { resourceTexts } from './dictionary.ts'
import type { RecordDraft } from './use-draft.ts'

export const DraftNotice = ({ draft }: { readonly draft: RecordDraft }) => {
  const t = useText(resourceTexts)
  if (!draft.isRestored) return null
  return (
    <Alert role="status" color="blue" mb="md">
      <Group justify="space-between">
        <Text size="sm">{t('draftRestored')}</Text>
        <Button size="xs" variant="default" onClick={draft.discard}>
          {t('discard')}
        </Button>
      </Group>
    </Alert>
  )
}
