import { Alert, Button, Code, Group, SimpleGrid, Stack, Text } from '@mantine/core'
import { CopyText, saveFile, useTexts } from '@plinth/web'
import { IconKey } from '@tabler/icons-react'
import { accountTexts } from './dictionary.ts'

interface RecoveryCodesProps {
  readonly codes: readonly string[]
  readonly onDone: () => void
}

/** What was pressed to get here is gone. */
const takeFocus = (element: HTMLElement | null): void => element?.focus()

/** Shows the recovery codes, once. */
export const RecoveryCodes = ({ codes, onDone }: RecoveryCodesProps) => {
  const t = useTexts(accountTexts)
  const text = `${codes.join('\n')}\n`
  return (
    <Alert
      ref={takeFocus}
      tabIndex={-1}
      role="status"
      color="yellow"
      icon={<IconKey aria-hidden />}
      title={t('recoveryCodes')}
    >
      <Stack gap="sm">
        <Text size="sm">{t('recoveryText')}</Text>
        <SimpleGrid cols={{ base: 1, xs: 2 }} spacing="xs">
          {codes.map(code => (
            <Code key={code}>{code}</Code>
          ))}
        </SimpleGrid>
        <Group gap="xs">
          <CopyText text={text} />
          <Button
            size="compact-sm"
            variant="default"
            onClick={() => saveFile(new Blob([text], { type: 'text/plain' }), 'recovery-codes.txt')}
          >
            {t('download')}
          </Button>
          <Button size="compact-sm" onClick={onDone}>
            {t('haveThem')}
          </Button>
        </Group>
      </Stack>
    </Alert>
  )
}
